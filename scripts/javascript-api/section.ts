import {
  type ApiDeclaredItem,
  ApiDocumentedItem,
  ApiItemKind,
  ApiOptionalMixin,
  ApiParameterListMixin,
} from '@microsoft/api-extractor-model'
import { toCode, toTable } from '../reference/markdown.js'
import { type Comment, readComment } from './comment.js'
import { type Declaration, listMembers } from './declarations.js'
import { evaluateType } from './values.js'

/** Longest signature of a type that is shown, in characters. */
const maximumSignature = 200

/**
 * Returns the section of a declaration, as Markdown paragraphs.
 *
 * @param origin Where a program imports it from; undefined if it cannot be imported.
 */
export async function toDeclarationSection(
  declaration: Declaration,
  origin: string | undefined,
): Promise<string[]> {
  const { item } = declaration
  const { description } = findComment(item)
  return [
    `### ${toName(item)}`,
    [origin && `From ${origin}.`, description].filter(Boolean).join(' '),
    item.kind === ApiItemKind.Function ? toCodeBlock(toSignature(item)) : '',
    ...toDetails(item),
    ...(await toFieldTable(declaration)),
    ...toMemberTable(listMembers(item)),
  ].filter((part) => part !== '')
}

/** Number of members from which a type has a section. */
const manyMembers = 4

/** Whether a declaration needs a section. */
export async function hasSection(declaration: Declaration): Promise<boolean> {
  const { kind } = declaration.item
  if (kind === ApiItemKind.Function || kind === ApiItemKind.Variable) return true
  const type = await evaluateType(declaration)
  const hasFields = type !== undefined && 'fields' in type
  return hasFields || listMembers(declaration.item).length >= manyMembers
}

/** Returns the cells of a row for a declaration without a section. */
export async function toTypeRow(declaration: Declaration): Promise<readonly string[]> {
  const { item } = declaration
  const type = await evaluateType(declaration)
  const signature = toLine(toSignature(item).replace(/^type \w+ = |;$/g, ''))
  const isShown = item.kind === ApiItemKind.TypeAlias && signature.length <= maximumSignature
  const values = type && 'strings' in type && `One of ${type.strings.map(toCode).join(', ')}.`
  const notes = [
    findComment(item).description,
    values || (isShown && `${toCode(signature)}.`),
    ...listMembers(item).map((member) => toMemberCells(member).join(': ')),
  ]
  return [toCode(toName(item)), toLine(notes.filter(Boolean).join(' '))]
}

/** Returns the fields of a type that is derived from a schema. */
async function toFieldTable(declaration: Declaration): Promise<string[]> {
  const type = await evaluateType(declaration)
  if (type === undefined || 'strings' in type) return []
  const rows = type.fields.map(({ path, type, isRequired, meaning }) => [
    toCode(path),
    isRequired ? `${type}, required` : type,
    meaning,
  ])
  return [toTable(['field', 'type', 'description'], rows)]
}

/** Returns a table of the properties and methods of a class or an interface. */
function toMemberTable(members: readonly ApiDeclaredItem[]): string[] {
  if (members.length === 0) return []
  return [toTable(['member', 'description'], members.map(toMemberCells))]
}

function toMemberCells(member: ApiDeclaredItem): readonly [signature: string, notes: string] {
  const { description, parameters, throws } = findComment(member)
  const notes = [
    description,
    ...[...parameters].map(([name, meaning]) => `${toCode(name)}: ${meaning}`),
    ...throws.map(({ type, condition }) => `Throws ${toCode(type)}: ${condition}`),
  ]
  return [toCode(toMemberSignature(member)), toLine(notes.filter(Boolean).join(' '))]
}

/** Returns `id: number` for `readonly id: number;` and for `get id(): number;`. */
function toMemberSignature(member: ApiDeclaredItem): string {
  const { excerpt, displayName, kind } = member
  const isMethod = kind === ApiItemKind.Method || kind === ApiItemKind.MethodSignature
  if (isMethod) return toLine(excerpt.text.replace(/;$/, ''))
  const mark = ApiOptionalMixin.isBaseClassOf(member) && member.isOptional ? '?' : ''
  const type = excerpt.text.replace(/^[^:=]*(?::|=) /, '').replace(/;$/, '')
  return toLine(`${displayName}${mark}: ${type}`)
}

/** Returns the parameters, the returned value, the exceptions and the examples of a function. */
function toDetails(item: ApiDeclaredItem): string[] {
  const { parameters, returns, throws, examples } = findComment(item)
  const names = ApiParameterListMixin.isBaseClassOf(item)
    ? item.parameters.map(({ name }) => name)
    : []
  const lines = [
    ...names
      .filter((name) => parameters.has(name))
      .map((name) => `- ${toCode(name)}: ${parameters.get(name)}`),
    ...throws.map(({ type, condition }) => `- Throws ${toCode(type)}: ${condition}`),
  ]
  return [
    lines.join('\n'),
    returns === undefined ? '' : `Returns: ${returns}`,
    ...examples.map((example) => toCodeBlock(example)),
  ]
}

/** Returns the name of a declaration, without the number that API Extractor adds to global names. */
export function toName({ displayName }: ApiDeclaredItem): string {
  return displayName.replace(/_\d+$/, '')
}

function toSignature({ excerpt }: ApiDeclaredItem): string {
  return excerpt.text
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/(?<=\w)_\d+\b/g, '')
    .trim()
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Uses `typescript`, because `ts` marks the snippets that tests run. */
function toCodeBlock(code: string): string {
  return `\`\`\`typescript\n${code}\n\`\`\``
}

/** Reads the docstring of a declaration. */
function findComment(item: ApiDeclaredItem): Comment {
  const comment = item instanceof ApiDocumentedItem ? item.tsdocComment?.emitAsTsdoc() : undefined
  return readComment(comment ?? '')
}
