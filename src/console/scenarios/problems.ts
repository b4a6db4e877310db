import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
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
  const located = rejected.map((message) => {
    const node = root && findNode(root, message)
    return { message, place: node && toPlace(text, node) }
  })
  const problems = [...findSyntaxProblems(text, root, errors), ...located]
  const toStart = ({ place }: DocumentProblem) => place?.start ?? text.length
  return problems.sort((a, b) => toStart(a) - toStart(b))
}

function findSyntaxProblems(
  text: string,
  root: Node | undefined,
  // The other errors are consequences of the first one.
  [error]: readonly ParseError[],
): readonly DocumentProblem[] {
  if (error) return [{ message: describeError(text, error), place: toPlace(text, error) }]
  if (root && parseJson(text) !== undefined) return findRepeated(text, root)
  return [{ message: 'found too many nested levels' }]
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
    nodes.push(...children)
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
  const keys = path.match(new RegExp(`${name}|${key}`, 'g')) ?? []
  // The paths are relative to the scenario, of which there can be several.
  const scenarios = root.children?.filter(({ type }) => type === 'object') ?? []
  const found = (root.type === 'array' ? scenarios : [root]).map((node) => follow(node, keys))
  return found.toSorted((a, b) => b.depth - a.depth)[0]?.node
}

function follow(scenario: Node, keys: readonly string[]): { node: Node; depth: number } {
  let node = scenario
  for (const [depth, part] of keys.entries()) {
    const child = findChild(node, part)
    if (!child) return { node, depth }
    node = child
  }
  return { node, depth: keys.length }
}

/** @param part `name`, `[3]` or `["a name"]`. Long names are truncated. */
function findChild(node: Node, part: string): Node | undefined {
  const value = node.type === 'property' ? node.children?.[1] : node
  if (value?.type === 'array') return value.children?.[Number(part.slice(1, -1))]
  const wanted = part.startsWith('[') ? String(JSON.parse(part.slice(1, -1))) : part
  // Of fields with the same name, JSON.parse keeps the last one.
  return value?.children?.findLast(({ children: [field] = [] }) =>
    [field?.value, truncate(String(field?.value))].includes(wanted),
  )
}

function toPlace(text: string, { offset, length }: Pick<Node, 'offset' | 'length'>): Place {
  const lines = text.slice(0, offset).split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  return { line: lines.length, column, start: offset, end: offset + length }
}
