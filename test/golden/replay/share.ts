import { foldRepetitions } from './again.js'
import { type Cases, type GoldenResponse, isSendStep, type SendStep, type Step } from './cases.js'

/** Headers whose values are the same in most responses. */
const commonHeader = /^(access-control-|cache-control:|connection:|keep-alive:|x-content-type-)/i

/** The steps with their responses, by the title of the case. */
type Replayed = Readonly<Record<string, readonly Step[]>>

const shortestBody = 150
const fewestUses = 3

/** Writes header lines and bodies that many responses have once, and refers to them by name. */
export function share(cases: Replayed): Cases {
  const names = new Names()
  const uses = countBodies(cases)
  const shared = Object.entries(cases).map(([title, steps]) => {
    const short = steps.map((step) => (isSendStep(step) ? shareStep(step, names, uses) : step))
    return [title, foldRepetitions(short)]
  })
  return { shared: names.toTable(), cases: Object.fromEntries(shared) }
}

function shareStep(step: SendStep, names: Names, uses: ReadonlyMap<string, number>): SendStep {
  if (!step.response) return step
  const { headers, json, text, ...rest } = step.response
  const body = JSON.stringify({ json, text })
  const isShared = body.length >= shortestBody && (uses.get(body) ?? 0) >= fewestUses
  const found = { ...(json === undefined ? {} : { json }), ...(text === undefined ? {} : { text }) }
  const fields = isShared ? { body: names.find(step.send, found) } : found
  const response: GoldenResponse = {
    ...(rest.status === undefined ? {} : { status: rest.status }),
    ...(headers ? { headers: shareHeaders(headers, names) } : {}),
    ...fields,
    ...rest,
  }
  return { ...step, response }
}

/** Replaces the common headers at the start and at the end. */
function shareHeaders(lines: readonly string[], names: Names): string[] {
  const start = lines.findIndex((line) => !commonHeader.test(line))
  const end = lines.findLastIndex((line) => !commonHeader.test(line)) + 1
  if (start < 0) return [...lines]
  return [
    ...(start > 0 ? [names.find('<first headers>', lines.slice(0, start))] : []),
    ...lines.slice(start, end),
    ...(end < lines.length ? [names.find('<last headers>', lines.slice(end))] : []),
  ]
}

function countBodies(cases: Replayed): Map<string, number> {
  const uses = new Map<string, number>()
  for (const step of Object.values(cases).flat()) {
    if (!isSendStep(step) || !step.response) continue
    const { json, text } = step.response
    const body = JSON.stringify({ json, text })
    uses.set(body, (uses.get(body) ?? 0) + 1)
  }
  return uses
}

/** Names for values, after what has one of them first. A changed value keeps its name. */
class Names {
  readonly #names = new Map<string, string>()
  readonly #values = new Map<string, unknown>()

  find(wanted: string, value: unknown): string {
    const json = JSON.stringify(value)
    const known = this.#names.get(json)
    if (known !== undefined) return known
    let name = wanted
    for (let number = 2; this.#values.has(name); number++) name = `${wanted} (${number})`
    this.#names.set(json, name)
    this.#values.set(name, value)
    return name
  }

  toTable(): Record<string, unknown> {
    return Object.fromEntries(this.#values)
  }
}
