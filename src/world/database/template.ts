import type { JsonText } from '../../contract/json-text.js'
import type { Message, Order, Pet } from '../../contract/schemas.js'
import type { Work } from '../../validation/slices.js'
import { bodyBytes } from './bytes.js'
import { limitMessages } from './messages.js'
import {
  messageRows,
  orderRows,
  petRows,
  Rows,
  sizeOfRow,
  toMessage,
  toOrder,
  toOrderRow,
  toPet,
  toPetRow,
} from './rows.js'

/** Records of a scenario. */
export interface Records {
  readonly pets: readonly Pet[]
  readonly orders: readonly Order[]
  readonly messages: readonly Message[]
}

/** The records of a scenario, loaded once and shared by its worlds. They never change. */
export class RecordTemplate implements Records {
  readonly petRows = new Rows(petRows)
  readonly orderRows = new Rows(orderRows)
  readonly messageRows = new Rows(messageRows)
  readonly #bodies = new Map<string, JsonText>()
  /** Estimated heap, in bytes. */
  bytes = 0

  put<Row extends object>(rows: Rows<Row>, row: Row): void {
    rows.put(row)
    this.bytes += sizeOfRow(rows.kind, row)
  }

  get pets(): Pet[] {
    return Array.from(this.petRows.values(), toPet)
  }

  get orders(): Order[] {
    return Array.from(this.orderRows.values(), toOrder)
  }

  get messages(): Message[] {
    return Array.from(this.messageRows.values(), toMessage)
  }

  /** Returns the body that is cached under a name. If there is none, caches the result of `create`. */
  cached(name: string, create: () => JsonText): JsonText {
    const body = this.#bodies.get(name) ?? create()
    this.#bodies.set(name, body)
    return body
  }

  /** Estimated heap of the cached bodies, in bytes. */
  get cachedBytes(): number {
    return bodyBytes(this.#bodies.values())
  }
}

/** Loads records into a template. It retains none of the objects. */
export function* createTemplate({ pets, orders, messages }: Records): Work<RecordTemplate> {
  const template = new RecordTemplate()
  for (const pet of pets) {
    template.put(template.petRows, toPetRow(pet))
    yield
  }
  for (const order of orders) {
    template.put(template.orderRows, toOrderRow(order))
    yield
  }
  for (const message of limitMessages(messages)) {
    template.put(template.messageRows, message)
    yield
  }
  return template
}
