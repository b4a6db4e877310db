import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { parseJson } from '../../service/json.js'
import { truncate } from '../../service/validation/message.js'

/** A finding in a document. */
export interface DocumentProblem {
  readonly message: string
  /** Where it is; undefined if it concerns no part of the document. */
  readonly place?: Place | undefined
  /** Whether the document can be used nevertheless. */
  readonly isWarning?: boolean
}

/** A part of a document. Lines and columns count from 1, `start` and `end` are offsets. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly start: number
  readonly end: number
}

/** What the parser expected, by its error. */
const expected: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value, or a name in double quotes',
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon after the name',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a comma or }',
  CloseBracketExpected: 'a comma or ]',
  EndOfFileExpected: 'the end of the document',
  UnexpectedEndOfString: 'a closing double quote',
  UnexpectedEndOfNumber: 'a digit',
  InvalidUnicode: 'four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'an escape sequence of JSON',
  InvalidCharacter: 'no control character',
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

/**
 * Returns what is wrong with a document, in the order of its lines: why it is not JSON, or warnings
 * about names that an object states twice.
 *
 * @param rejected Problems of the scenario, such as `pets[3].quantity must be …`, to locate as well.
 */
export function findProblems(
  text: string,
  rejected: readonly string[] = [],
): readonly DocumentProblem[] {
  const errors: ParseError[] = []
  const root = parse(text, errors)
  // The other errors are consequences of the first one.
  const [error] = errors
  if (error) return [{ message: describeError(text, error), place: toPlace(text, error) }]
  if (!root || parseJson(text) === undefined) return [{ message: 'found too many nested levels' }]
  const located = rejected.map((message) => {
    const node = findNode(root, message)
    return { message, place: node && toPlace(text, node) }
  })
  const toStart = ({ place }: DocumentProblem) => place?.start ?? text.length
  return [...findRepeated(text, root), ...located].sort((a, b) => toStart(a) - toStart(b))
}

/** Returns the root of a document; undefined if it has none, or is nested too deeply. */
function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, strict)
  } catch {
    return undefined
  }
}

function describeError(text: string, { error, offset, length }: ParseError): string {
  const found = text
    .slice(offset, offset + length)
    .replace(/^"|"$/g, '')
    .trim()
  const place = text.slice(0, offset).trimEnd().endsWith(',') ? ' after the comma' : ''
  const shown = found === '' ? 'the end of the document' : JSON.stringify(truncate(found))
  return `expected ${expected[printParseErrorCode(error)] ?? 'JSON'}${place}, found ${shown}`
}

function findRepeated(text: string, root: Node): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const nodes = [root]
  for (const { type, children = [] } of nodes) {
    for (const child of children) nodes.push(child)
    const names = new Set<unknown>()
    for (const field of type === 'object' ? children : []) {
      const name = field.children?.[0]
      if (!name || names.size < names.add(name.value).size) continue
      const message = `${JSON.stringify(truncate(name.value))} is stated twice in the same object; the last one counts`
      problems.push({ message, place: toPlace(text, name), isWarning: true })
    }
  }
  return problems
}

/**
 * Returns the problems that a message of the control API lists.
 *
 * @param message The message of `invalid_scenario`: `scenario object: 2 problems`, then one line each.
 */
export function splitProblems(message: string): readonly string[] {
  const [first = '', ...others] = message.split('\n  ')
  return others.length > 0 ? others : [first.replace(/^scenario(?: [^\s:"]+)?: /, '')]
}

const name = String.raw`[\w$-]+…?`
const key = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`
/** The path at the beginning of a problem: `pets[3].quantity must be …`. */
const pathPattern = new RegExp(`^((?:${name}|${key})(?:\\.${name}|${key})*) (?:must|is) `)

/** Returns the field that a problem names, or the closest value around it. */
function findNode(root: Node, problem: string): Node | undefined {
  const path = pathPattern.exec(problem)?.[1]
  if (path === undefined) return problem.startsWith('the scenario ') ? root : undefined
  const parts = path.match(new RegExp(`${name}|${key}`, 'g')) ?? []
  // `name`, `[3]` or `["a name"]`.
  const keys = parts.map((part) => (part.startsWith('[') ? JSON.parse(part.slice(1, -1)) : part))
  // The paths are relative to the scenario, of which there can be several.
  const objects = root.children?.filter(({ type }) => type === 'object') ?? []
  const scenarios = root.type === 'array' ? objects : [root]
  for (let depth = keys.length; depth > 0; depth--) {
    for (const scenario of scenarios) {
      const node = findNodeAtLocation(scenario, keys.slice(0, depth))
      if (node) return node.parent?.type === 'property' ? node.parent : node
    }
  }
  return scenarios[0]
}

function toPlace(text: string, { offset, length }: Pick<Node, 'offset' | 'length'>): Place {
  const lines = text.slice(0, offset).split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  return { line: lines.length, column, start: offset, end: offset + length }
}
