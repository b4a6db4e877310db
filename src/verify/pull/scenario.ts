import { listEntries } from '../../service/bounds.js'
import { toInt64Json } from '../../service/int64.js'
import type { PlanId } from '../../service/plans.js'
import { formatSecond, toTimestamp } from '../../service/timestamp.js'
import { isPlainObject } from '../../service/validation/options.js'
import { validate } from '../../service/validation/validate.js'
import { type FaultInput, faultSchema, maximumFaults } from '../../world/faults/schema.js'
import type { Scenario } from '../../world/scenario/schema.js'
import type { Deployment, Received } from './deployment.js'
import { readDeprecation, readLimits } from './headers.js'
import { type Fitted, fitRecord, Notes, type RecordFields, toInt64 } from './records.js'

/** A scenario that was made from responses. */
export interface Built {
  readonly scenario: Scenario
  readonly notes: Notes
  /** Plan whose limits the headers show. */
  readonly plan: PlanId
}

/** Makes a scenario from the responses of a deployment. */
export function buildScenario(deployment: Deployment, name: string): Built {
  const { url, responses, unreadable = [] } = deployment
  const received = [...responses.values()]
  // The sandbox starts at the time of the latest response, so that the sunset stays as far away.
  const startMs = received.reduce((latest, { atMs }) => Math.max(latest, atMs), 0)
  const records = [...responses].filter(([path]) => path.startsWith('/pets/'))
  const pets = new Map(records.map(([path, each]) => [path.slice('/pets/'.length), each]))
  const notes = new Notes()
  for (const path of unreadable) {
    notes.add('recorded responses whose body is missing or cannot be read', path)
  }
  const petRecords = buildPets(responses.get('/inventory'), pets, notes)
  const orders = responses.get('/store/orders')
  const orderRecords = buildList('orders', orders, (order) => fitRecord('orders', order), notes)
  const deprecation = readDeprecation([...pets.values()], startMs, notes)
  const { sunsetAt = '', afterSunset } = deprecation
  const isGone = afterSunset === undefined && Date.parse(sunsetAt) <= startMs
  const faults = buildFaults(pets, petRecords, isGone, notes)
  const masked = received.filter(({ isMasked }) => isMasked).length
  if (masked > 0) notes.add(`the API key is in ${masked} bodies, and is masked`)
  const { plan, plans } = readLimits(received, notes)
  const scenario = {
    name,
    description: `What ${url} served at ${formatSecond(startMs)}.`,
    clock: { now: toTimestamp(startMs) },
    ...(plans && { plans }),
    deprecation,
    ...(faults.length > 0 && { faults }),
    pets: [...petRecords.values()].map(({ record }) => record),
    orders: [...orderRecords.values()].map(({ record }) => record),
  } as Scenario // the records and faults match their schemas
  return { scenario, notes, plan }
}

/** The responses of GET /pets/{petId}, by id in canonical decimal. */
type Pets = ReadonlyMap<string, Received>

/** Records by their id. */
type FittedRecords = Map<string, Fitted>

/** Adds a record and returns it; undefined if a scenario cannot have it. */
function add(records: FittedRecords, label: string, fitted: Fitted | string, notes: Notes) {
  const isFitted = typeof fitted !== 'string'
  if (isFitted && !records.has(fitted.id) && records.size < listEntries) {
    records.set(fitted.id, fitted)
    return fitted
  }
  const other = records.size < listEntries ? 'another entry has its id' : 'the list is full'
  notes.add(`${label} is left out: ${isFitted ? other : fitted}`)
  return undefined
}

/**
 * Returns the records that represent the entries of a list.
 *
 * @param toServed Returns the entry that the sandbox serves for a record. Default: all fields.
 */
function buildList(
  name: string,
  received: Received | undefined,
  toFitted: (entry: unknown) => Fitted | string,
  notes: Notes,
  toServed = (record: RecordFields): RecordFields => record,
): FittedRecords {
  const records: FittedRecords = new Map()
  if (received?.status !== 200) {
    notes.addUnknown(`the ${name}: ${received ? `status ${received.status}` : 'no response'}`)
    return records
  }
  const entries: readonly unknown[] = Array.isArray(received.json) ? received.json : []
  if (entries !== received.json) notes.add(`${name}: the body is not a JSON array`)
  const limit = `a scenario has at most ${listEntries} entries, found ${entries.length}`
  if (entries.length > listEntries) notes.add(`${name}: ${limit}; the last ones are left out`)
  for (const [index, entry] of entries.slice(0, listEntries).entries()) {
    const fitted = add(records, `${name}: entry ${index}`, toFitted(entry), notes)
    if (fitted) notes.addDifferences(name, fitted.id, Object(entry), toServed(fitted.served))
  }
  return records
}

function buildPets(inventory: Received | undefined, pets: Pets, notes: Notes): FittedRecords {
  const toFitted = (entry: unknown) => fitPet(entry, pets.get(toInt64(Object(entry).petId) ?? ''))
  const toServed = ({ petId, quantity, status }: RecordFields) => ({ petId, quantity, status })
  const records = buildList('inventory', inventory, toFitted, notes, toServed)
  // Recorded without the inventory. The sandbox lists every pet.
  for (const [id, received] of pets) {
    if (received.status !== 200 || records.has(id)) continue
    if (inventory) notes.add('inventory: the sandbox lists a pet in addition', id)
    add(records, `pets: pet ${id}`, fitPet({ petId: id }, received), notes)
  }
  const unnamed = [...records.keys()].filter((id) => !pets.has(id))
  if (unnamed.length > 0) {
    notes.addUnknown('the names of pets without a response; they are made up', unnamed)
  }
  return records
}

/** Joins the entry of the inventory and the record of a pet. */
function fitPet(entry: unknown, received: Received | undefined): Fitted | string {
  if (!isPlainObject(entry)) return 'it is not an object'
  const record = received?.status === 200 && isPlainObject(received.json) ? received.json : {}
  const { petId, quantity, status = record.status } = entry
  const name = typeof record.name === 'string' ? record.name : `Pet ${petId}`
  return fitRecord('pets', { ...record, petId, name, quantity, status })
}

/**
 * Compares the responses of GET /pets/{petId} with what the sandbox serves. A pet of the inventory
 * without a record becomes a fault.
 *
 * @param isGone Whether the sandbox responds with 410.
 */
function buildFaults(pets: Pets, records: FittedRecords, isGone: boolean, notes: Notes) {
  const faults: FaultInput[] = []
  for (const [id, { status, json }] of pets) {
    const { quantity: _, ...served } = records.get(id)?.served ?? {}
    if (!records.has(id) || (status === 410 && isGone)) continue
    if (status === 404 && faults.length < maximumFaults) faults.push(toFault(id, json))
    else if (status === 200 && isPlainObject(json)) notes.addDifferences('pets', id, json, served)
    else {
      const found = status === 200 ? '200 without a record' : status
      notes.add(`pets: status ${found}, the sandbox responds with a record`, id)
    }
  }
  return faults
}

function toFault(id: string, error: unknown): FaultInput {
  const match = { petId: toInt64Json(id) }
  const base = { type: 'status', operation: 'getPet', match, status: 404 } as const
  const { code, message } = Object(error)
  const fault = { ...base, code, message }
  return validate(faultSchema, fault).ok ? fault : base
}
