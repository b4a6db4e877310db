import { truncate } from '../../service/validation/message.js'
import { type JsonNode, type JsonOutline, JsonSyntaxError, outlineJson } from './outline.js'

/** A finding in a document. */
export interface DocumentProblem {
  readonly message: string
  /** Where it is; undefined if it concerns no part of the document. */
  readonly place?: Place | undefined
  /** Whether the document can be used nevertheless. */
  readonly isWarning?: boolean
}

/** A part of a document. Lines and columns count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly start: number
  readonly end: number
}

/** Returns why a document is not JSON, and warnings about names that an object has twice. */
export function findSyntaxProblems(text: string): readonly DocumentProblem[] {
  const outline = readOutline(text)
  if (outline instanceof JsonSyntaxError) {
    const { message, offset } = outline
    return [{ message, place: toPlace(text, offset, Math.min(offset + 1, text.length)) }]
  }
  return outline.repeated.map(({ name, start }) => ({
    message: `${JSON.stringify(truncate(name))} is stated twice in the same object; the last one counts`,
    place: toPlace(text, start, start + JSON.stringify(name).length),
    isWarning: true,
  }))
}

/**
 * Returns the problems that a message of the control API lists, each with its place in the document.
 *
 * @param message The message of `invalid_scenario`: `scenario object: 2 problems`, then one line each.
 */
export function locateProblems(text: string, message: string): readonly DocumentProblem[] {
  return locateEach(text, splitMessage(message))
}

/** Returns problems of a scenario, each with its place in the document. */
export function locateEach(text: string, problems: readonly string[]): readonly DocumentProblem[] {
  const outline = readOutline(text)
  return problems.map((problem) => {
    if (outline instanceof JsonSyntaxError) return { message: problem }
    const node = findNode(outline, problem)
    return { message: problem, place: node && toPlace(text, node.start, node.end) }
  })
}

function readOutline(text: string): JsonOutline | JsonSyntaxError {
  try {
    return outlineJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
}

function splitMessage(message: string): readonly string[] {
  const [first = '', ...problems] = message.split('\n  ')
  return problems.length > 0 ? problems : [first.replace(/^scenario(?: [^\s:"]+)?: /, '')]
}

const name = String.raw`[\w$-]+…?`
const key = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`
/** The path at the beginning of a problem: `pets[3].quantity must be …`. */
const pathPattern = new RegExp(`^((?:${name}|${key})(?:\\.${name}|${key})*) (?:must|is) `)

/** Returns the value that a problem names, or the closest one around it. */
function findNode({ root }: JsonOutline, problem: string): JsonNode | undefined {
  const path = pathPattern.exec(problem)?.[1]
  if (path === undefined) return problem.startsWith('the scenario ') ? root : undefined
  const keys = path.match(new RegExp(`${name}|${key}`, 'g')) ?? []
  // The paths are relative to the scenario, of which there can be several.
  const scenarios = root.items?.filter(({ fields }) => fields) ?? [root]
  const found = scenarios.map((scenario) => follow(scenario, keys))
  return found.toSorted((a, b) => b.depth - a.depth)[0]?.node
}

function follow(scenario: JsonNode, keys: readonly string[]): { node: JsonNode; depth: number } {
  let node = scenario
  for (const [depth, part] of keys.entries()) {
    const child = findChild(node, part)
    if (!child) return { node, depth }
    node = child
  }
  return { node, depth: keys.length }
}

/** @param part `name`, `[3]` or `["a name"]`. Long names are truncated. */
function findChild({ fields, items }: JsonNode, part: string): JsonNode | undefined {
  if (items) return items[Number(part.slice(1, -1))]
  const wanted = part.startsWith('[') ? String(JSON.parse(part.slice(1, -1))) : part
  const exact = fields?.get(wanted)
  if (exact || !wanted.endsWith('…')) return exact
  return [...(fields ?? [])].find(([field]) => truncate(field) === wanted)?.[1]
}

function toPlace(text: string, start: number, end: number): Place {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) {
    line += 1
    lineStart = at + 1
  }
  return { line, column: start - lineStart + 1, start, end }
}
