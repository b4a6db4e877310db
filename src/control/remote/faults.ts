import type { Faults } from '../../world/faults/faults.js'
import type { Fault, FaultInput } from '../../world/faults/schema.js'
import type { ControlClient } from '../client/client.js'
import type { Remote } from './mapped.js'

/** The faults of a remote world. */
export class RemoteFaults implements Remote<Faults, 'list' | 'set' | 'add' | 'clear' | 'size'> {
  readonly #client: ControlClient

  /** @internal */
  constructor(client: ControlClient) {
    this.#client = client
  }

  /** Resolves to the faults in the form of a scenario. `atMost` is the number of remaining uses. */
  list(): Promise<Fault[]> {
    return this.#client.send('listFaults')
  }

  /** Number of faults. */
  get size(): Promise<number> {
    return this.list().then(({ length }) => length)
  }

  /**
   * Replaces all faults by another one, or by an array of them.
   *
   * @throws {RemoteError} invalid_field or missing_field; the faults stay unchanged.
   */
  async set(faults: FaultInput | readonly FaultInput[]): Promise<void> {
    const body = (Array.isArray(faults) ? faults : [faults]) as Fault[] // the sandbox adds defaults
    await this.#client.send('replaceFaults', { body })
  }

  /**
   * Appends a fault.
   *
   * @throws {RemoteError} invalid_field, missing_field, or sandbox_capacity if there are 100 faults.
   */
  async add(fault: FaultInput): Promise<void> {
    await this.#client.send('addFault', { body: fault as Fault }) // the sandbox adds defaults
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    await this.#client.send('clearFaults')
  }
}
