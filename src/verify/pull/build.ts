import { toInt64Json } from '../../service/int64.js'
import { toInt64, tryParseExactJson } from '../../service/json.js'
import { type PlanId, plans } from '../../service/plans.js'
import { orderSchema, petSchema } from '../../service/schemas.js'
import { formatSecond, toTimestamp } from '../../service/timestamp.js'
import { isPlainObject } from '../../service/validation/options.js'
import { validate } from '../../service/validation/validate.js'
import { type FaultInput, faultSchema, maximumFaults } from '../../world/faults/schema.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { readDeprecation } from './deprecation.js'
import { findLimits, findPlan, type SeenLimits } from './rate-limit.js'
import { type Deployment, listResponses, type Received } from './received.js'
import { fitRecord, listIds, omit, type RecordFields, readList } from './records.js'

/** What a scenario does not represent: a line for each kind of thing. */
export interface Notes {
  readonly bodies: readonly string[]
  readonly headers: readonly string[]
  /** What the responses do not show. */
  readonly unknown: readonly string[]
}

/** A scenario that was made from responses. */
export interface Built {
  readonly scenario: Scenario
  readonly notes: Notes
  /** Plan whose limits the headers show. */
  readonly plan: PlanId
  readonly limits: SeenLimits
}

/** Makes a scenario from the responses of a deployment. */
export function buildScenario(deployment: Deployment, name: string): Built {
  const responses = listResponses(deployment)
  // The sandbox starts at the time of the latest response, so that the sunset stays as far away.
  const startMs = Math.max(...responses.map(({ atMs }) => atMs))
  const pets = buildPets(deployment)
  const orders = buildOrders(deployment.orders)
  const deprecation = readDeprecation(deployment.pets.values(), startMs)
  const limits = findLimits(responses)
  const faults = buildFaults(deployment, pets.ids)
  const known = findPlan(limits)
  const plan = known ?? (hasLimits(limits) ? 'enterprise' : 'free')
  const scenario = {
    name,
    description: `What ${deployment.url} served at ${formatSecond(startMs)}.`,
    clock: { now: toTimestamp(startMs) },
    ...(!known && hasLimits(limits) && { plans: { enterprise: limits } }),
    deprecation: deprecation.value,
    ...(faults.length > 0 && { faults }),
    pets: pets.records,
    orders: orders.records,
  } as Scenario // the records and faults match their schemas
  const notes = {
    bodies: [...pets.notes, ...orders.notes],
    headers: deprecation.notes,
    unknown: [
      ...deprecation.unknown,
      ...orders.unknown,
      ...describeUnknown(deployment, pets.unnamed),
      ...describeLimits(limits, plan),
    ],
  }
  return { scenario, notes, plan, limits }
}

/** Describes the resources without a response. */
function describeUnknown({ inventory, pets }: Deployment, unnamed: readonly string[]): string[] {
  const lines = inventory
    ? []
    : ['inventory: no response; the sandbox lists the pets with a record']
  const missing = unnamed.filter((id) => !pets.has(id))
  if (missing.length === 0) return lines
  const ids = listIds(missing)
  return [...lines, `pets: no response of GET /pets/{petId}, the names are made up (${ids})`]
}

function hasLimits(limits: SeenLimits): boolean {
  return Object.keys(limits).length > 0
}

function describeLimits(limits: SeenLimits, plan: PlanId): string[] {
  if (!hasLimits(limits)) {
    return [
      'limits: the headers do not show a limit per minute or per day; the sandbox uses its own',
    ]
  }
  const unseen = limits.requestsPerMinute === undefined ? 'requestsPerMinute' : 'requestsPerDay'
  if (unseen in limits) return []
  const window = unseen === 'requestsPerMinute' ? 'minute' : 'day'
  const used = plans[plan][unseen]
  return [`limits: the headers do not show the limit per ${window}; the sandbox uses ${used}`]
}

interface BuiltPets {
  readonly records: readonly RecordFields[]
  readonly ids: ReadonlySet<string>
  readonly unnamed: readonly string[]
  readonly notes: readonly string[]
}

function buildPets({ inventory, pets }: Deployment): BuiltPets {
  const list: ReturnType<typeof readList> = inventory ? readList(inventory.body) : { entries: [] }
  const notes = list.problem === undefined ? [] : [`inventory: ${list.problem}`]
  const records: RecordFields[] = []
  const unnamed: string[] = []
  const ids = new Set<string>()
  const add = (item: unknown, label: string) => {
    const id = toInt64(Object(item).petId)
    const found = toRecord(id === undefined ? undefined : pets.get(id))
    const fitted = fitPet(item, found, id)
    const isDuplicate = id !== undefined && ids.has(id)
    if (fitted.record === undefined || isDuplicate || id === undefined) {
      const reason = isDuplicate ? `pet ${id} is listed before` : fitted.reason
      notes.push(`inventory: ${label} is left out: ${reason ?? 'it has no int64 petId'}`)
      return
    }
    ids.add(id)
    if (!found) unnamed.push(id)
    records.push(fitted.record)
  }
  for (const [index, item] of list.entries.entries()) add(item, `entry ${index}`)
  for (const [id, received] of pets) {
    // Recorded without the inventory. The sandbox lists every pet.
    if (!ids.has(id) && received.status === 200)
      add({ ...toRecord(received), petId: id }, `pet ${id}`)
  }
  return { records, ids, unnamed, notes }
}

function toRecord(received: Received | undefined): RecordFields | undefined {
  const record = received?.status === 200 ? tryParseExactJson(received.body) : undefined
  return isPlainObject(record) ? record : undefined
}

/** Joins the entry of the inventory and the record of a pet. */
function fitPet(item: unknown, record: RecordFields | undefined, id: string | undefined) {
  if (!isPlainObject(item)) return { reason: 'it is not an object' }
  const { petId, quantity, status } = item
  const joined = {
    petId,
    ...omit(record ?? {}, ['petId', 'quantity']),
    ...(quantity !== undefined && { quantity }),
    ...(status !== undefined && { status }),
  }
  return fitRecord(petSchema, joined, ['petId'], { name: `Pet ${id}` })
}

function buildOrders(received: Received | undefined) {
  if (received?.status !== 200) {
    const found = received ? `status ${received.status}` : 'no response'
    const unknown = [`orders: ${found} of GET /store/orders; the scenario has no orders`]
    return { records: [], notes: [], unknown }
  }
  const list = readList(received.body)
  const notes = list.problem === undefined ? [] : [`orders: ${list.problem}`]
  const records: RecordFields[] = []
  const ids = new Set<string>()
  for (const [index, item] of list.entries.entries()) {
    const { record, reason } = fitRecord(orderSchema, item, ['id', 'petId'])
    const id = toInt64(Object(item).id)
    const isDuplicate = id !== undefined && ids.has(id)
    if (record === undefined || id === undefined || isDuplicate) {
      notes.push(`orders: entry ${index} is left out: ${reason ?? `order ${id} is listed before`}`)
      continue
    }
    ids.add(id)
    records.push(record)
  }
  return { records, notes, unknown: [] }
}

/** A pet of the inventory without a record is a fault: GET /pets/{petId} responds with its error. */
function buildFaults({ pets }: Deployment, listed: ReadonlySet<string>): FaultInput[] {
  const missing = [...pets].filter(([id, { status }]) => listed.has(id) && status === 404)
  return missing.slice(0, maximumFaults).map(([id, received]) => toFault(id, received))
}

function toFault(id: string, { body }: Received): FaultInput {
  const match = { petId: toInt64Json(id) }
  const base = { type: 'status', operation: 'getPet', match, status: 404 } as const
  const error = tryParseExactJson(body)
  if (!isPlainObject(error)) return base
  const fault = { ...base, code: error.code, message: error.message }
  return validate(faultSchema, fault).ok ? (fault as FaultInput) : base // it was validated
}
