import { upperFirst } from 'es-toolkit/string'
import { parseApiKey } from '../../service/api-key.js'
import { type Int64Input, readId } from '../../service/int64.js'
import { planIds } from '../../service/plans.js'
import { fromJsonRecord, idOf, mapKinds, recordKinds } from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
import { toTimestamp } from '../../service/timestamp.js'
import { truncate } from '../../service/validation/message.js'
import { checkFields } from '../../service/validation/options.js'
import { toTime } from '../../world/clock.js'
import type { Fault } from '../../world/faults/schema.js'
import type { WorldEvent } from '../../world/next-event.js'
import { checkOnlySource, type ScenarioSource } from '../../world/scenario/source.js'
import { type ControlClient, type ControlInput, wholeList } from '../client/client.js'
import { type ControlBody, type ControlResult, controlOperationIds } from '../operations.js'
import { createFeed, createJournal, createRequests } from './journal.js'
import { hideMembers, type RemoteAccount, type RemoteWindow, type RemoteWorld } from './world.js'

/** Creates the members that a handle has in common with a world in this process. */
export function createMembers(client: ControlClient) {
  const listen = createFeed(client)
  const clock = createClock(client)
  const readOverview = () => client.send('getOverview')
  const nextEvent: RemoteWorld['nextEvent'] = async (account) => {
    const { nextEvent: next } = await selectAccount(client, account).send('getClock')
    // The control API states the names of events as strings.
    return next
      ? { event: next.event as WorldEvent['event'], atMs: Date.parse(next.at) }
      : undefined
  }
  return {
    clock,
    db: mapKinds<RemoteWorld['db']>((kind) => hideMembers(createCollection(client, kind))),
    quota: { account: (id: string) => createAccount(selectAccount(client, id)) },
    faults: createFaults(client),
    journal: createJournal(client, listen),
    requests: createRequests(client, listen),
    control: createControl(client),
    get generation() {
      return readOverview().then(({ generation }) => generation)
    },
    get startedAtMs() {
      return readOverview().then(({ startedAt }) => Date.parse(startedAt))
    },
    get scenario() {
      return readOverview().then(({ scenario }) => scenario)
    },
    async use(scenario: ScenarioSource, ...others: readonly unknown[]) {
      checkOnlySource(others)
      await client.perform('putScenario', { body: scenario })
    },
    reset: () => client.perform('resetWorld'),
    snapshot: (name?: string) => client.send('getSnapshot', { query: { name } }),
    report: async (account?: string) => selectAccount(client, account).send('getReport'),
    nextEvent,
    async advanceToNextEvent(account?: string) {
      const event = await nextEvent(account)
      if (event) await clock.set(event.atMs)
      return event
    },
  }
}

function createClock(client: ControlClient): RemoteWorld['clock'] {
  const read = () => client.send('getClock')
  const change = (body: ControlBody<'changeClock'>) => client.perform('changeClock', { body })
  return hideMembers({
    now: async () => Date.parse((await read()).now),
    get isFrozen() {
      return read().then(({ frozen }) => frozen)
    },
    freeze: async (at) =>
      change({ frozen: true, ...(at !== undefined && { now: toTimestamp(toTime(at)) }) }),
    run: () => change({ frozen: false }),
    set: async (to) => change({ now: toTimestamp(toTime(to)) }),
    advance: (by) => change({ advance: by }),
  })
}

function createFaults(client: ControlClient): RemoteWorld['faults'] {
  const list = () => client.send('listFaults')
  return hideMembers({
    list,
    get size() {
      return list().then(({ length }) => length)
    },
    // The sandbox adds the defaults of a fault.
    set: (faults) => client.perform('replaceFaults', { body: [faults].flat() as Fault[] }),
    add: (fault) => client.perform('addFault', { body: fault as Fault }),
    clear: () => client.perform('clearFaults'),
  })
}

function createControl(client: ControlClient): RemoteWorld['control'] {
  const ids = controlOperationIds.filter((id) => id !== 'streamEvents')
  const methods = ids.map((id) => {
    const send = async (input: ControlInput = {}) => {
      checkFields(input, ['params', 'query', 'body'], `the argument of control.${id}`)
      return client.send(id, input)
    }
    return [id, send]
  })
  return Object.fromEntries(methods)
}

/**
 * Returns a client with the key of an account. Default: the key of the client.
 *
 * @throws {RangeError} If the id is neither a plan nor the key of the client.
 */
function selectAccount(client: ControlClient, id?: string): ControlClient {
  const { apiKey } = client.target
  const plan = parseApiKey(apiKey)?.plan
  if (id === undefined || id === apiKey || id === plan) return client
  const plans: readonly string[] = planIds
  if (plan && plans.includes(id)) {
    return client.withKey(`sbx_${id}${apiKey.slice(`sbx_${plan}`.length)}`)
  }
  const wanted = 'the id of an account must be a plan or the key of this handle'
  throw new RangeError(`${wanted}, found ${JSON.stringify(truncate(id))}`)
}

function createAccount(client: ControlClient): RemoteAccount {
  const read = () => client.send('getQuota')
  const bannedUntilMs: RemoteAccount['bannedUntilMs'] = async (nowMs = -Infinity) => {
    const untilMs = Date.parse((await read()).ban?.until ?? '')
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
    set: (body) => client.perform('changeQuota', { body }),
    isBanned: async (nowMs) => (await bannedUntilMs(nowMs)) !== undefined,
    bannedUntilMs,
  })
}

function toWindow({ resetsAt, ...counts }: ControlResult<'getQuota'>['minute']): RemoteWindow {
  return { ...counts, resetsAtMs: Date.parse(resetsAt) }
}

/** Creates the members of a table and, if clients can change the records of the kind, of a collection. */
function createCollection<Kind extends KindName>(client: ControlClient, kind: Kind) {
  const { noun, id: name } = recordKinds[kind]
  const list = async () => {
    const shown = await client.send(`list${upperFirst(kind)}` as ListId, { query: wholeList })
    return shown.map((record) => fromJsonRecord(kind, record))
  }
  /** Sends an operation that returns a record. `id` can be anything if its path has none. */
  const send = async (action: 'add' | 'change' | 'remove', id: Int64Input, body?: object) => {
    const operation = `${action}${upperFirst(noun)}` as `${typeof action}Pet`
    const input = { params: { [name]: readId(name, id) }, json: JSON.stringify(body, toDigits) }
    return fromJsonRecord(kind, await client.send(operation, input))
  }
  return {
    get count() {
      return client.send('getOverview').then(({ counts }) => counts[kind])
    },
    list,
    async find(id: Int64Input) {
      const wanted = readId(name, id)
      return (await list()).find((record) => idOf(kind, record) === wanted)
    },
    ...('notFound' in recordKinds[kind] && {
      add: (input: object) => send('add', '', { ...input }),
      change: (id: Int64Input, fields: object) => send('change', id, { ...fields }),
      remove: (id: Int64Input) => send('remove', id),
    }),
  }
}

/** Does not compile if the control API has no resource for a kind. */
type ListId = `list${Capitalize<KindName>}`

/** Writes an int64 as its decimal digits, in which it is exact. */
function toDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
