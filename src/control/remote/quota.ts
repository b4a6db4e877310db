import { parseApiKey } from '../../service/api-key.js'
import { type PlanId, planIds } from '../../service/plans.js'
import { truncate } from '../../service/validation/message.js'
import type { Account, RateLimitWindow } from '../../world/quota/account.js'
import type { AccountSettings } from '../../world/quota/settings.js'
import type { ControlClient } from '../client/client.js'
import type { ControlResult } from '../operations.js'
import type { Remote } from './mapped.js'

/** The state of one window of a key. */
export type RemoteWindow = Readonly<
  Pick<RateLimitWindow, 'limit' | 'used' | 'remaining' | 'rejected'> & {
    /** End of the window. If none is open: the end of a window that opens now. */
    resetsAtMs: number
  }
>

/** The quota of one key of a remote world. */
export class RemoteAccount
  implements Remote<Account, 'plan' | 'set' | 'isBanned' | 'bannedUntilMs'>
{
  readonly #client: ControlClient

  /** @internal */
  constructor(client: ControlClient) {
    this.#client = client
  }

  get plan(): Promise<PlanId> {
    return this.#read().then(({ plan }) => plan)
  }

  /** The minute window. */
  get minute(): Promise<RemoteWindow> {
    return this.#read().then(({ minute }) => toWindow(minute))
  }

  /** The day window. */
  get day(): Promise<RemoteWindow> {
    return this.#read().then(({ day }) => toWindow(day))
  }

  /**
   * Sets the given fields; the others keep their values. First clears windows that have ended. A
   * ban of `seconds` starts now. `ban: null` lifts the ban.
   *
   * @throws {RemoteError} `invalid_field` or `missing_field`; the account keeps its state.
   */
  async set(settings: AccountSettings): Promise<void> {
    await this.#client.send('changeQuota', { body: settings })
  }

  /** Whether the key is banned at a time in milliseconds since the epoch. Default: now. */
  async isBanned(nowMs?: number): Promise<boolean> {
    return (await this.bannedUntilMs(nowMs)) !== undefined
  }

  /** Resolves to the end of the ban in milliseconds since the epoch; undefined if not banned. */
  async bannedUntilMs(nowMs?: number): Promise<number | undefined> {
    const { ban } = await this.#read()
    const untilMs = ban ? Date.parse(ban.until) : undefined
    return untilMs === undefined || (nowMs !== undefined && nowMs >= untilMs) ? undefined : untilMs
  }

  #read(): Promise<ControlResult<'getQuota'>> {
    return this.#client.send('getQuota')
  }
}

/** The accounts of a remote world that the key of the handle can reach. */
export class RemoteAccounts {
  readonly #client: ControlClient

  /** @internal */
  constructor(client: ControlClient) {
    this.#client = client
  }

  /**
   * Returns the account of a plan, or of the key of this handle. The account of another plan is
   * reached with the key of that plan for the same world, which a sandbox with a key secret rejects.
   *
   * @throws {RangeError} If the id is neither a plan nor the key of this handle.
   */
  account(id: string): RemoteAccount {
    return new RemoteAccount(this.clientOf(id))
  }

  /**
   * Returns a client with the key of an account.
   *
   * @internal
   */
  clientOf(id: string): ControlClient {
    const { apiKey } = this.#client.target
    const parsed = parseApiKey(apiKey)
    if (id === apiKey || id === parsed?.plan) return this.#client
    const plans: readonly string[] = planIds
    if (parsed && plans.includes(id)) {
      return this.#client.withKey(`sbx_${id}${apiKey.slice(`sbx_${parsed.plan}`.length)}`)
    }
    const wanted = 'the id of an account must be a plan or the key of this handle'
    throw new RangeError(`${wanted}, found ${JSON.stringify(truncate(id))}`)
  }
}

function toWindow({ resetsAt, ...counts }: ControlResult<'getQuota'>['minute']): RemoteWindow {
  return { ...counts, resetsAtMs: Date.parse(resetsAt) }
}
