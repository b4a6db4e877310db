import { isDeepStrictEqual } from 'node:util'
import { addresses } from '../../service/addresses.js'
import { formatExactJson, toInt64, tryParseExactJson } from '../../service/json.js'
import { toPlainLine, truncate } from '../../service/validation/message.js'
import { isPlainObject } from '../../service/validation/options.js'
import type { Scenario } from '../../world/scenario/schema.js'
import type { Deployment, Received } from './received.js'
import { listIds, omit, type RecordFields } from './records.js'

/** Larger than the number of requests of a comparison. */
const unlimited = { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 }

/** Options of a sandbox for a comparison. The memory is that of a scenario of any size. */
interface ServeOptions {
  readonly scenario: readonly Scenario[]
  readonly maxMemory: number
  readonly maxWorldMemory: number
}

/** Creates a sandbox in this process. */
export type Serve = (options: ServeOptions) => Promise<{ readonly fetch: typeof fetch }>

/**
 * Serves a scenario in this process, and compares each body with the one of the deployment. Returns
 * one line for each kind of difference; no line means that all bodies are the same bytes.
 */
export async function compare(
  deployment: Deployment,
  scenario: Scenario,
  createSandbox: Serve,
): Promise<string[]> {
  const limits: Scenario = { name: 'comparison', plans: { enterprise: unlimited } }
  const memory = { maxMemory: 2 ** 31, maxWorldMemory: 2 ** 30 }
  const sandbox = await createSandbox({ scenario: [scenario, limits], ...memory })
  const headers = { Authorization: 'Bearer sbx_enterprise' }
  const serve = async (path: string): Promise<Served> => {
    const response = await sandbox.fetch(`${addresses.api.url}${path}`, { headers })
    return { status: response.status, body: await response.text() }
  }
  const { inventory, orders, pets } = deployment
  const differences = new Differences()
  if (inventory) compareLists(inventoryList, inventory, await serve('/inventory'), differences)
  if (orders?.status === 200) {
    compareLists(orderList, orders, await serve('/store/orders'), differences)
  }
  for (const [id, received] of pets) {
    if (isCompared(received)) {
      compareRecord(id, received, await serve(`/pets/${id}`), differences)
    } else {
      differences.add('pets', `GET /pets/{petId} responds with ${received.status}`, id)
    }
  }
  return differences.toLines()
}

interface Served {
  readonly status: number
  readonly body: string
}

/** Other responses do not say whether the pet has a record. */
function isCompared({ status }: Received): boolean {
  return status === 200 || status === 404 || status === 410
}

/** The differences by kind, with the ids of their records. */
class Differences {
  readonly #ids = new Map<string, { readonly line: string; readonly ids: string[] }>()

  /**
   * @param resource `inventory`, `orders` or `pets`.
   * @param kind What is grouped. Default: the text.
   */
  add(resource: string, text: string, id?: string, kind = text): void {
    const key = `${resource}: ${kind}`
    const group = this.#ids.get(key) ?? { line: `${resource}: ${text}`, ids: [] }
    this.#ids.set(key, group)
    if (id !== undefined) group.ids.push(id)
  }

  toLines(): string[] {
    return Array.from(this.#ids.values(), ({ line, ids }) =>
      toPlainLine(ids.length === 0 ? line : `${line} (${listIds(ids)})`),
    )
  }
}

interface List {
  readonly name: string
  readonly idField: string
}

const inventoryList: List = { name: 'inventory', idField: 'petId' }
const orderList: List = { name: 'orders', idField: 'id' }

const format =
  'the values are the same; white space, the order of the fields or the form of numbers differs'

function compareLists(list: List, received: Received, served: Served, differences: Differences) {
  if (received.body === served.body) return
  const { name, idField } = list
  const wanted = toRecords(received.body, idField)
  const found = toRecords(served.body, idField)
  let isEqual = true
  for (const [id, record] of wanted) {
    const other = found.get(id)
    // `buildScenario` says why an entry is left out.
    if (!other || !compareFields(name, id, record, other, differences)) isEqual = false
  }
  const added = [...found.keys()].filter((id) => !wanted.has(id))
  for (const id of added) differences.add(name, 'the sandbox lists a record in addition', id)
  const order = [...wanted.keys()].filter((id) => found.has(id))
  const servedOrder = [...found.keys()].filter((id) => wanted.has(id))
  if (!isDeepStrictEqual(order, servedOrder)) differences.add(name, 'the order of the list differs')
  else if (isEqual && added.length === 0) differences.add(name, format)
}

/** Returns the first record of each id. */
function toRecords(body: string, idField: string): Map<string, RecordFields> {
  const list = tryParseExactJson(body)
  const records = new Map<string, RecordFields>()
  for (const item of Array.isArray(list) ? list : []) {
    const id = isPlainObject(item) ? toInt64(item[idField]) : undefined
    if (id !== undefined && !records.has(id)) records.set(id, item)
  }
  return records
}

function compareRecord(id: string, received: Received, served: Served, differences: Differences) {
  const { status, body } = received
  if (status !== served.status) {
    differences.add('pets', `status ${status}, the sandbox responds with ${served.status}`, id)
    return
  }
  if (body === served.body) return
  const record = tryParseExactJson(body)
  const other = tryParseExactJson(served.body)
  if (!isPlainObject(record) || !isPlainObject(other)) {
    differences.add('pets', `the body of a ${status} is not a JSON object`, id)
    return
  }
  if (compareFields('pets', id, record, other, differences)) differences.add('pets', format, id)
}

/** Compares the fields of two records. Returns whether they are equal. */
function compareFields(
  resource: string,
  id: string,
  received: RecordFields,
  served: RecordFields,
  differences: Differences,
): boolean {
  const changed = Object.entries(received).filter(
    ([name, value]) => !Object.hasOwn(served, name) || !isDeepStrictEqual(value, served[name]),
  )
  for (const [name, value] of changed) {
    const field = show(name)
    if (Object.hasOwn(served, name)) {
      const text = `${field} is ${show(value)}, the sandbox serves ${show(served[name])}`
      differences.add(resource, text, id, field)
    } else differences.add(resource, `the sandbox does not serve the field ${field}`, id)
  }
  const added = Object.entries(omit(served, Object.keys(received)))
  for (const [name, value] of added) {
    const text = `the sandbox adds the field ${show(name)}, ${show(value)}`
    differences.add(resource, text, id, `+${name}`)
  }
  return changed.length === 0 && added.length === 0
}

function show(value: unknown): string {
  return truncate(formatExactJson(value))
}
