import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { listEntries } from '../../service/bounds.js'
import { toInt64Json } from '../../service/int64.js'
import { parseExactJson } from '../../service/json.js'
import { type PlanId, planIds, plans } from '../../service/plans.js'
import { recordKinds } from '../../service/records.js'
import { recordModels } from '../../service/schemas.js'
import { formatSecond, toTimestamp } from '../../service/timestamp.js'
import { listFirst, toCount, truncate } from '../../service/validation/message.js'
import { isPlainObject } from '../../service/validation/options.js'
import { describeMismatch, validate } from '../../service/validation/validate.js'
import { deprecationSchema } from '../../world/deprecation.js'
import { type FaultInput, faultSchema, maximumFaults } from '../../world/faults/schema.js'
import { windowLengthsMs } from '../../world/quota/settings.js'
import { ScenarioError } from '../../world/scenario/error.js'
import { toPlainData } from '../../world/scenario/read.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { parseDeprecation, parseHttpDate, readRateLimit } from '../headers.js'
import { formatExactJson } from '../response.js'
import { type Deployment, type Received, toInt64 } from './responses.js'

/** A scenario that was made from responses. */
export interface Built {
  readonly scenario: Scenario
  /** What the scenario has, what it does not represent, and what the responses do not show. */
  readonly lines: readonly string[]
  /** Plan whose limits the headers show. */
  readonly plan: PlanId
}

type Fields = Readonly<Record<string, unknown>>

/** A record of a scenario. */
interface Fitted {
  readonly id: string
  readonly record: Fields
  /** The record with the defaults of the sandbox; integers beyond ±(2^53−1) are bigints. */
  readonly served: Fields
}

/** Makes a scenario from the responses of a deployment. */
export function buildScenario(deployment: Deployment, name: string): Built {
  const { url, responses } = deployment
  const received = [...responses.values()]
  // The sandbox starts at the time of the latest response, so that the sunset stays as far away.
  const start = received.reduce((latest, { at }) => Math.max(latest, at), 0)
  const records = [...responses].filter(([path]) => path.startsWith('/pets/'))
  const pets: Pets = new Map(records.map(([path, each]) => [path.slice('/pets/'.length), each]))
  const notes = new Notes()
  const petRecords = buildPets(responses.get('/inventory'), pets, notes)
  const orders = responses.get('/store/orders')
  const orderRecords = buildList('orders', orders, (order) => fitRecord('orders', order), notes)
  const deprecation = readDeprecation([...pets.values()], start, notes)
  const { sunsetAt = '', afterSunset } = deprecation
  const isGone = afterSunset === undefined && Date.parse(sunsetAt) <= start * 1000
  const faults = buildFaults(pets, petRecords, isGone, notes)
  const masked = received.filter(({ isMasked }) => isMasked).length
  if (masked > 0) notes.add(`the API key is in ${masked} bodies, and is masked`)
  const { plan, limits, plans: own } = readLimits(received, notes)
  const toDay = (date = 'unknown') => date.split('T')[0]
  const summary = [
    `${toCount(petRecords.size, 'pets')} (${faults.length} without a record), ${toCount(orderRecords.size, 'orders')}`,
    `limits of the plan ${plans[plan].title}: ${limits.requestsPerMinute} a minute, ${limits.requestsPerDay} a day`,
    `GET /pets/{petId}: deprecated ${toDay(deprecation.deprecatedAt)}, sunset ${toDay(deprecation.sunsetAt)}`,
  ]
  const scenario = {
    name,
    description: `What ${url} served at ${formatSecond(start * 1000)}.`,
    clock: { now: toTimestamp(start * 1000) },
    ...(own && { plans: own }),
    deprecation,
    ...(faults.length > 0 && { faults }),
    pets: [...petRecords.values()].map(({ record }) => record),
    orders: [...orderRecords.values()].map(({ record }) => record),
  } as Scenario // the records and faults match their schemas
  return { scenario, lines: [...summary, ...listFirst(notes.toLines(), shownNotes)], plan }
}

/** Maximum number of lines about differences, and of ids in each. */
const shownNotes = 100
const shownIds = 10

/** Collects lines, one for each kind of thing. */
class Notes {
  /** The text and the ids of the records, for each kind of thing that is not represented. */
  readonly #kinds = new Map<string, string[]>()
  readonly #unknown: string[] = []

  /** @param kind What is grouped in one line with its first text. Default: the text. */
  add(text: string, id?: string, kind = text): void {
    const group = this.#kinds.get(kind) ?? [text]
    this.#kinds.set(kind, group)
    if (id !== undefined) group.push(id)
  }

  /** Adds what the responses do not show. */
  addUnknown(text: string, ids: readonly string[] = []): void {
    this.#unknown.push(toLine([text, ...ids]))
  }

  /** Adds a line for each field of a record that the sandbox serves with another value. */
  addDifferences(resource: string, id: string, received: Fields, served: Fields): void {
    const [known, others] = [received, served].map((each) => new Map(Object.entries(each)))
    for (const name of new Set([...Object.keys(received), ...Object.keys(served)])) {
      const values = [known?.get(name), others?.get(name)] as const
      if (isDeepStrictEqual(...values)) continue
      const field = `${resource}: ${truncate(JSON.stringify(name))} is`
      const [shown, value] = values.map((each) => truncate(formatExactJson(each)))
      this.add(`${field} ${shown}, the sandbox serves ${value}`, id, field)
    }
  }

  toLines(): readonly string[] {
    const lines = [...this.#kinds.values()].map((group) => `not represented: ${toLine(group)}`)
    const first = lines.length === 0 ? ['every received value is represented'] : lines
    return [...first, ...this.#unknown.map((line) => `not known: ${line}`)]
  }
}

function toLine([text = '', ...ids]: readonly string[]): string {
  return ids.length === 0 ? text : `${text} (${listFirst(ids, shownIds).join(', ')})`
}

/** The responses of GET /pets/{petId}, by id in canonical decimal. */
type Pets = ReadonlyMap<string, Received>

/**
 * Returns the records that represent the entries of a list.
 *
 * @param toServed Returns the entry that the sandbox serves for a record. Default: all fields.
 */
function buildList(
  name: string,
  received: Received | undefined,
  toFitted: (entry: Fields) => Fitted | string,
  notes: Notes,
  toServed = (record: Fields): Fields => record,
): Map<string, Fitted> {
  const records = new Map<string, Fitted>()
  if (received?.status !== 200) {
    const found = received ? `status ${received.status}` : 'no readable response'
    notes.addUnknown(`the ${name}: ${found}`)
    return records
  }
  const entries: readonly unknown[] = Array.isArray(received.json) ? received.json : []
  if (entries !== received.json) notes.add(`${name}: the body is not a JSON array`)
  const limit = `a scenario has at most ${listEntries} entries, found ${entries.length}`
  if (entries.length > listEntries) notes.add(`${name}: ${limit}; the last ones are left out`)
  for (const [index, entry] of entries.slice(0, listEntries).entries()) {
    const fitted = isPlainObject(entry) ? toFitted(entry) : 'it is not an object'
    const label = `${name}: entry ${index} is left out`
    if (typeof fitted === 'string') notes.add(`${label}: ${fitted}`)
    else if (records.has(fitted.id)) notes.add(`${label}: another entry has its id`)
    else {
      records.set(fitted.id, fitted)
      notes.addDifferences(name, fitted.id, Object(entry), toServed(fitted.served))
    }
  }
  return records
}

function buildPets(inventory: Received | undefined, pets: Pets, notes: Notes): Map<string, Fitted> {
  const toFitted = (entry: Fields) => fitPet(entry, pets.get(toInt64(entry.petId) ?? ''))
  const toServed = ({ petId, quantity, status }: Fields) => ({ petId, quantity, status })
  const records = buildList('inventory', inventory, toFitted, notes, toServed)
  // Recorded without the inventory. The sandbox lists every pet.
  for (const [id, received] of pets) {
    if (received.status !== 200 || records.has(id)) continue
    if (inventory) notes.add('inventory: the sandbox lists a pet in addition', id)
    const isFull = records.size >= listEntries
    const fitted = isFull ? 'the list is full' : fitPet({ petId: id }, received)
    if (typeof fitted === 'string') notes.add(`pets: pet ${id} is left out: ${fitted}`)
    else records.set(id, fitted)
  }
  const unnamed = [...records.keys()].filter((id) => !pets.has(id))
  if (unnamed.length > 0) {
    notes.addUnknown('the names of pets without a readable response; they are made up', unnamed)
  }
  return records
}

/** Joins the entry of the inventory and the record of a pet. */
function fitPet(entry: Fields, received: Received | undefined): Fitted | string {
  const record = received?.status === 200 && isPlainObject(received.json) ? received.json : {}
  const { petId, quantity, status = record.status } = entry
  const name = typeof record.name === 'string' ? record.name : `Pet ${petId}`
  return fitRecord('pets', { ...record, petId, name, quantity, status })
}

/**
 * Returns the record of a scenario that represents a received one, or the reason why there is none.
 * Omits the fields that a scenario cannot have; the sandbox serves their defaults.
 */
function fitRecord(kind: 'pets' | 'orders', received: Fields): Fitted | string {
  const { schema } = recordModels[kind]
  const shape = new Map<string, z.ZodMiniType>(Object.entries(schema.shape))
  const int64s: readonly string[] = recordKinds[kind].int64s
  const fields = Object.entries(received).flatMap(([name, value]) => {
    if (value === undefined) return []
    const id = int64s.includes(name) ? toInt64(value) : undefined
    // Bigints become numbers, which are rounded.
    const plain: unknown = id === undefined ? JSON.parse(formatExactJson(value)) : toInt64Json(id)
    const field = int64s.includes(name) ? undefined : shape.get(name)
    const isValid = !field || validate(field, plain).ok
    return isValid && isPlainData({ [name]: plain }) ? [[name, plain] as const] : []
  })
  const record = Object.fromEntries(fields)
  if (!isPlainData(record)) return 'it is too large'
  const result = validate(schema, record)
  if (!result.ok) return result.mismatches.map((each) => describeMismatch(each)).join('; ')
  const { value } = result
  const ids = int64s.map((name) => [name, parseExactJson(String(value[name]))])
  const served = { ...value, ...Object.fromEntries(ids) }
  return { id: String(value[recordKinds[kind].id]), record, served }
}

/** Whether a scenario can have a record. */
function isPlainData(record: Fields): boolean {
  try {
    // One level deeper than in a list of a scenario, whose path counts as nesting.
    return toPlainData(record, 'record', ['pets', 0]) !== undefined
  } catch (error) {
    if (error instanceof ScenarioError) return false
    throw error
  }
}

/**
 * Compares the responses of GET /pets/{petId} with what the sandbox serves. A pet of the inventory
 * without a record becomes a fault.
 *
 * @param isGone Whether the sandbox responds with 410.
 */
function buildFaults(pets: Pets, records: Map<string, Fitted>, isGone: boolean, notes: Notes) {
  const faults: FaultInput[] = []
  for (const [id, { status, json }] of pets) {
    const { quantity: _, ...served } = records.get(id)?.served ?? {}
    if (!records.has(id) || (status === 410 && isGone)) continue
    if (status === 404 && faults.length < maximumFaults) {
      const match = { petId: toInt64Json(id) }
      const fault = { type: 'status', operation: 'getPet', match, status: 404 } as const
      const { code, message } = Object(json)
      const whole = { ...fault, code, message }
      faults.push(validate(faultSchema, whole).ok ? whole : fault)
    } else if (status === 200 && isPlainObject(json)) {
      notes.addDifferences('pets', id, json, served)
    } else {
      const found = status === 200 ? '200 without a record' : status
      notes.add(`pets: status ${found}, the sandbox responds with a record`, id)
    }
  }
  return faults
}

/** The reset is stated in whole seconds, rounded up, and the date rounded down. */
const toleranceSeconds = 2

/**
 * Returns the plan whose limits the headers of the responses show, and the plans of the scenario, if
 * no plan of spec §8 has these limits. A reset within a minute belongs to the minute window, a later
 * one to the day window (A06).
 */
function readLimits(responses: readonly Received[], notes: Notes) {
  const seen: { requestsPerMinute?: number; requestsPerDay?: number } = {}
  for (const received of responses) {
    const { limit = 0, resetSeconds = 0 } = readRateLimit(received) ?? {}
    const resetMs = (resetSeconds - received.at - toleranceSeconds) * 1000
    if (limit === 0 || resetMs > windowLengthsMs.day) continue
    seen[resetMs <= windowLengthsMs.minute ? 'requestsPerMinute' : 'requestsPerDay'] = limit
  }
  const known = planIds.find((id) => isDeepStrictEqual({ ...plans[id], ...seen }, plans[id]))
  const plan = known ?? 'enterprise'
  const limits = { ...plans[plan], ...seen }
  const addUnknown = (window: string, limit: number) =>
    notes.addUnknown(`the headers do not show the limit per ${window}; the sandbox uses ${limit}`)
  if (!seen.requestsPerMinute) addUnknown('minute', limits.requestsPerMinute)
  if (!seen.requestsPerDay) addUnknown('day', limits.requestsPerDay)
  return { plan, limits, ...(!known && { plans: { enterprise: seen } }) }
}

/**
 * Returns the deprecation of GET /pets/{petId}, from the headers of its latest response.
 *
 * @param start Start of the world, in seconds since the epoch.
 */
function readDeprecation(
  pets: readonly Received[],
  start: number,
  notes: Notes,
): NonNullable<Scenario['deprecation']> {
  const headers = pets.at(-1)?.headers
  if (!headers) {
    notes.addUnknown('the dates of the deprecation, without a response of GET /pets/{petId}')
    return {}
  }
  /** Returns what a header states, or adds a note. */
  const read = <Value>(name: string, wanted: string, parse: (text: string) => Value) => {
    const text = headers.get(name.toLowerCase())
    const value = parse(text ?? '')
    if (value !== undefined) return value
    const found = text === undefined ? 'none' : JSON.stringify(truncate(text))
    notes.add(`GET /pets/{petId}: the ${name} header must have ${wanted}, found ${found}`)
    return undefined
  }
  const deprecated = read('Deprecation', 'a date', parseDeprecation)
  const isServed = pets.some(({ status }) => status === 200)
  const isGone = !isServed && pets.some(({ status }) => status === 410)
  const sunset = read('Sunset', 'a date', parseHttpDate) ?? (isGone ? start : undefined)
  const link = read('Link', 'a target with rel="deprecation"', parseLink)
  // The sunset is not before the deprecation (RFC 9745, section 4).
  const earliest = Math.min(deprecated ?? Infinity, sunset ?? Infinity)
  if (deprecated !== undefined && earliest < deprecated) {
    notes.add('GET /pets/{petId}: the sunset is before the deprecation; the sandbox sends it twice')
  }
  return {
    ...(deprecated !== undefined && { deprecatedAt: toTimestamp(earliest * 1000) }),
    ...(sunset !== undefined && { sunsetAt: toTimestamp(sunset * 1000) }),
    ...(link !== undefined && { link }),
    ...(isServed && sunset !== undefined && sunset <= start && { afterSunset: 'serve' }),
  }
}

function parseLink(text: string): string | undefined {
  // The expression takes quadratic time.
  const link = /<([^>]*)>[^,]*rel="?deprecation"?/.exec(text.slice(0, 2_000))?.[1]
  return link !== undefined && validate(deprecationSchema, { link }).ok ? link : undefined
}
