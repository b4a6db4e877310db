import type { ControlResult } from '../../control/operations.js'
import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { type Failure, toFailure } from '../session/failure.js'
import { addEntries, maximumSize, noEntries, type RetainedEntries } from './entries.js'

/** The journal of a world as far as it has been loaded. */
export interface LoadedJournal extends RetainedEntries {
  /** Whether the newest entries have been loaded. */
  readonly isLoaded: boolean
  /** Whether all entries have been loaded that the sandbox retains and the page has room for. */
  readonly isComplete: boolean
  /** Number of entries that the sandbox retained at the latest load. */
  readonly retained: number
  /** Largest id of an entry; 0 for none. */
  readonly newestId: number
  /** Number of requests since the journal was cleared, including those that are no longer retained. */
  readonly received: number
  /** Incremented when new entries arrive, or others replace them. */
  readonly revision: number
  /** Failure of the latest attempt to load the entries. */
  readonly failure?: Failure | undefined
}

export const emptyJournal: LoadedJournal = {
  ...noEntries,
  isLoaded: false,
  isComplete: false,
  retained: 0,
  newestId: 0,
  received: 0,
  revision: 0,
}

/** Number of entries that one request loads. */
const chunkLength = 250

type Head = ControlResult<'getJournal'> & { readonly generation: number }

/** Loads the journal of a world, newest entries first, and adds those that arrive. */
export class JournalLoader {
  /** Called when the journal has changed. */
  onChange: (journal: LoadedJournal) => void = () => {}
  readonly #client: PageClient
  readonly #maximumSize: number
  #journal = emptyJournal
  #generation: number | undefined
  #capacity = Number.POSITIVE_INFINITY
  /** Entries that were added while the newest ones were requested. */
  #arrived: JournalEntry[] = []
  /** The number of `load` calls. Only the latest one has an effect. */
  #run = 0

  constructor(client: PageClient, size = maximumSize) {
    this.#client = client
    this.#maximumSize = size
  }

  /** Loads the entries that are missing, or all if the journal is another one. Never rejects. */
  async load(): Promise<void> {
    this.#run += 1
    const run = this.#run
    const known = this.#journal
    this.#arrived = []
    try {
      const query = { limit: chunkLength }
      const { body, generation } = await this.#client.request('getJournal', { query })
      if (run !== this.#run) return
      this.#addHead({ ...body, generation }, known)
      while (!this.#journal.isComplete) {
        const before = this.#journal.entries.at(-1)?.id ?? 0
        const query = { before, limit: chunkLength }
        const older = await this.#client.send('listRequests', { query })
        if (run !== this.#run) return
        this.#addOlder(older)
      }
    } catch (error) {
      if (run === this.#run) this.#change({ failure: toFailure(error) })
    }
  }

  /** Adds entries that have arrived. */
  add(entries: readonly JournalEntry[]): void {
    this.#arrived.push(...entries)
    this.#addNew(entries)
  }

  /** Ignores the responses to pending requests. */
  stop(): void {
    this.#run += 1
    this.onChange = () => {}
  }

  #addHead(head: Head, known: LoadedJournal): void {
    const { requests, retained, newestId, capacity, dropped, generation } = head
    const received = retained + dropped
    const isSame = generation === this.#generation && continues(known, head, received)
    this.#generation = generation
    this.#capacity = capacity
    const { revision, ...before } = this.#journal
    this.#journal = { ...(isSame ? before : { ...emptyJournal, newestId, received }), revision }
    const { isComplete } = this.#journal
    this.#addNew([...requests, ...this.#arrived.filter(({ id }) => id > newestId)], {
      isLoaded: true,
      isComplete: isComplete || requests.length >= retained,
      retained,
    })
  }

  #addNew(entries: readonly JournalEntry[], fields: Partial<LoadedJournal> = {}): void {
    const { newestId, received, revision } = this.#journal
    const latestId = entries.reduce((latest, { id }) => Math.max(latest, id), newestId)
    this.#change({
      ...this.#merge(entries),
      newestId: latestId,
      received: received + latestId - newestId,
      revision: revision + 1,
      failure: undefined,
      ...fields,
    })
  }

  #addOlder(older: readonly JournalEntry[]): void {
    const { entries } = this.#journal
    const after = this.#merge(older)
    const isComplete =
      older.length < chunkLength || after.isFull || after.entries.length === entries.length
    this.#change({ ...after, isComplete })
  }

  #merge(added: readonly JournalEntry[]): RetainedEntries {
    const bounds = { capacity: this.#capacity, size: this.#maximumSize }
    const { entries, size, isFull } = addEntries(this.#journal, added, bounds)
    return { entries, size, isFull }
  }

  #change(fields: Partial<LoadedJournal>): void {
    this.#journal = { ...this.#journal, ...fields }
    this.onChange(this.#journal)
  }
}

/**
 * Whether a journal is a known one with more entries, and no entry is missing between them. Else it
 * was cleared, or there is a gap.
 */
function continues(known: LoadedJournal, head: Head, received: number): boolean {
  const oldestId = head.requests.at(-1)?.id ?? 0
  return (
    known.isLoaded &&
    // An entry of a world that has restarted since may be known.
    received >= known.received &&
    received === known.received + head.newestId - known.newestId &&
    (known.entries.length === 0 || oldestId <= known.newestId + 1)
  )
}
