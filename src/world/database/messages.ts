import { messageBytes, messagesPerWorld } from '../../service/bounds.js'
import type { Message } from '../../service/schemas.js'
import { messageRows, type Rows, sizeOfRow } from './rows.js'
import { Table, type TableChanges } from './table.js'

/** Returns the newest messages that a world retains, oldest first. */
export function limitMessages(messages: readonly Message[]): readonly Message[] {
  let bytes = 0
  const retained: Message[] = []
  for (const message of messages.toReversed()) {
    bytes += sizeOfMessage(message)
    if (bytes > messageBytes || retained.length === messagesPerWorld) break
    retained.push(message)
  }
  return retained.toReversed()
}

/** The newest messages of a world: those of its scenario, and those that were added. */
export class Messages {
  readonly table: Table<Message>
  /** Heap of all messages, in bytes. */
  #retainedBytes: number

  /** @param baseBytes Heap of the messages of the scenario, in bytes. */
  constructor(base: Rows<Message>, baseBytes: number) {
    this.table = new Table(base)
    this.#retainedBytes = baseBytes
  }

  get size(): number {
    return this.table.size
  }

  /** Discards all changes. Takes constant time. */
  restart(base: Rows<Message>, baseBytes: number): void {
    this.table.restart(base)
    this.#retainedBytes = baseBytes
  }

  /** Returns the messages, oldest first. */
  rows(): Message[] {
    return this.table.rows()
  }

  /** Appends a message and evicts the oldest ones beyond the limits. */
  add(message: Message): void {
    this.table.put(message)
    this.#retainedBytes += sizeOfMessage(message)
    while (this.table.size > messagesPerWorld || this.#retainedBytes > messageBytes) this.#evict()
  }

  costOf(message: Message): number {
    return this.table.costOf(message)
  }

  /** Removes a message. Does nothing if there is none with this id. */
  remove(id: string): void {
    const message = this.table.find(id)
    if (!message) return
    this.table.remove(id)
    this.#retainedBytes -= sizeOfMessage(message)
  }

  /** Returns all changes, for `load`. Undefined if there are none. */
  save(): TableChanges<Message> | undefined {
    return this.table.save()
  }

  /** Repeats the changes of a world of the same scenario. */
  load({ removed, rows }: TableChanges<Message>): void {
    for (const id of removed) this.remove(id)
    for (const row of rows) this.add(row)
  }

  #evict(): void {
    const oldest = this.table.first()
    if (oldest) this.remove(oldest.id)
  }
}

function sizeOfMessage(message: Message): number {
  return sizeOfRow(messageRows, message)
}
