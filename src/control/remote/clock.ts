import { toTimestamp } from '../../service/timestamp.js'
import type { Duration } from '../../world/clock.js'
import { type Clock, toTime } from '../../world/clock.js'
import type { ControlClient } from '../client/client.js'
import type { ControlBody } from '../operations.js'
import type { Remote } from './mapped.js'

/** The clock of a remote world. */
export class RemoteClock
  implements Remote<Clock, 'now' | 'isFrozen' | 'freeze' | 'run' | 'set' | 'advance'>
{
  readonly #client: ControlClient

  /** @internal */
  constructor(client: ControlClient) {
    this.#client = client
  }

  /** Resolves to the time of the world in milliseconds since the epoch. */
  async now(): Promise<number> {
    return Date.parse((await this.#client.send('getClock')).now)
  }

  /** Whether the clock is stopped. */
  get isFrozen(): Promise<boolean> {
    return this.#client.send('getClock').then(({ frozen }) => frozen)
  }

  /**
   * Stops the clock.
   *
   * @param at Date, ISO 8601 string or milliseconds since the epoch. Default: the current time.
   * @throws {RangeError} If the value is not a valid time.
   */
  async freeze(at?: Date | string | number): Promise<void> {
    await this.#change({ frozen: true, ...(at !== undefined && { now: toTimestamp(toTime(at)) }) })
  }

  /** Lets a frozen clock run again, from the time at which it is frozen. */
  async run(): Promise<void> {
    await this.#change({ frozen: false })
  }

  /**
   * Sets the clock to a later or earlier time. A frozen clock stays frozen.
   *
   * @param to Date, ISO 8601 string or milliseconds since the epoch.
   * @throws {RangeError} If the value is not a valid time.
   */
  async set(to: Date | string | number): Promise<void> {
    await this.#change({ now: toTimestamp(toTime(to)) })
  }

  /**
   * Advances the clock by a duration: milliseconds, or ISO 8601 such as `PT90S`. A negative
   * duration moves it back.
   *
   * @throws {RemoteError} invalid_field, if the duration is invalid.
   */
  async advance(by: Duration): Promise<void> {
    await this.#change({ advance: by })
  }

  #change(body: ControlBody<'changeClock'>): Promise<unknown> {
    return this.#client.send('changeClock', { body })
  }
}
