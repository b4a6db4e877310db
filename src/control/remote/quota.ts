import { parseApiKey } from '../../service/api-key.js'
import { planIds } from '../../service/plans.js'
import { truncate } from '../../service/validation/message.js'
import type { Account, RateLimitWindow } from '../../world/quota/account.js'
import type { ControlClient } from '../client/client.js'
import type { ControlResult } from '../operations.js'
import { hideMembers, type Remote } from './mapped.js'

/** The state of one window of a key. */
export type RemoteWindow = Readonly<
  Pick<RateLimitWindow, 'limit' | 'used' | 'remaining' | 'rejected'> & {
    /** End of the window. If none is open: the end of a window that opens now. */
    resetsAtMs: number
  }
>

/** The quota of one key of a remote world: the methods of `Account`, which return promises. */
export type RemoteAccount = Remote<Account, 'plan' | 'set' | 'isBanned' | 'bannedUntilMs'> & {
  /** The minute window. */
  readonly minute: Promise<RemoteWindow>
  /** The day window. */
  readonly day: Promise<RemoteWindow>
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
    return createRemoteAccount(this.clientOf(id))
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

function createRemoteAccount(client: ControlClient): RemoteAccount {
  const read = () => client.send('getQuota')
  const bannedUntilMs = async (nowMs = -Infinity) => {
    const { ban } = await read()
    const untilMs = Date.parse(ban?.until ?? '')
    return untilMs > nowMs ? untilMs : undefined
  }
  return hideMembers({
    get plan() {
      return read().then(({ plan }) => plan)
    },
    get minute() {
      return read().then(({ minute }) => toWindow(minute))
    },
    get day() {
      return read().then(({ day }) => toWindow(day))
    },
    async set(settings) {
      await client.send('changeQuota', { body: settings })
    },
    isBanned: async (nowMs) => (await bannedUntilMs(nowMs)) !== undefined,
    bannedUntilMs,
  })
}

function toWindow({ resetsAt, ...counts }: ControlResult<'getQuota'>['minute']): RemoteWindow {
  return { ...counts, resetsAtMs: Date.parse(resetsAt) }
}
