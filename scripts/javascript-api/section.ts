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

/** The anchor of each declaration on the page, such as `#createsandbox`. */
export type Anchors = ReadonlyMap<Declaration, string>

/** Returns the section of a declaration, as Markdown paragraphs. */
export async function toDeclarationSection(
  declaration: Declaration,
  anchors: Anchors,
): Promise<string[]> {
  const { item } = declaration
  const members = listMembers(item)
  const methods = members.filter(isMethod)
  const properties = members.filter((member) => !isMethod(member))
  return [
    `### ${toName(item)}`,
    ...toDescription(item),
    toCodeBlock(toSignature(item)),
    ...toDetails(item),
    ...(await toDerivedParts(declaration)),
    ...toPropertyTable(properties, declaration, anchors),
    ...methods.flatMap((method) => toMethodParts(method, item.displayName)),
    ...toSeeAlso(declaration, anchors),
  ]
}

/** Returns the fields or values of a type that is derived from a value. */
async function toDerivedParts(declaration: Declaration): Promise<string[]> {
  const type = await evaluateType(declaration)
  if (type === undefined) return []
  if ('strings' in type) return [`One of ${type.strings.map(toCode).join(', ')}.`]
  const rows = type.fields.map(({ path, type, isRequired, meaning }) => [
    toCode(path),
    isRequired ? `${type}, required` : type,
    meaning,
  ])
  return [toTable(['field', 'type', 'description'], rows)]
}

function toPropertyTable(
  properties: readonly ApiDeclaredItem[],
  { mentions }: Declaration,
  anchors: Anchors,
): string[] {
  if (properties.length === 0) return []
  const rows = properties.map((property) => {
    const { description, throws } = findComment(property)
    const mark = ApiOptionalMixin.isBaseClassOf(property) && property.isOptional ? '?' : ''
    const links = property.excerptTokens
      .map(mentions)
      .filter((found) => found !== undefined && anchors.has(found))
    const see = [...new Set(links)].map((found) => found && toLink(found, anchors))
    return [
      toCode(`${property.displayName}${mark}`),
      toCode(toPropertyType(property)),
      [
        description,
        ...throws.map(({ type, condition }) => `Throws ${toCode(type)}: ${condition}`),
        see.length > 0 && `See ${see.join(', ')}.`,
      ]
        .filter(Boolean)
        .join(' ')
        .replaceAll(/\s*\n\s*/g, ' '),
    ]
  })
  return [toTable(['property', 'type', 'description'], rows)]
}

/** Returns `number` for `readonly id: number;` and for `get id(): number;`. */
function toPropertyType({ excerpt }: ApiDeclaredItem): string {
  return excerpt.text
    .replace(/^[^:=]*(?::|=) /, '')
    .replace(/;$/, '')
    .replaceAll(/\s+/g, ' ')
}

function toMethodParts(method: ApiDeclaredItem, owner: string): string[] {
  return [
    `#### ${owner}.${method.displayName}()`,
    ...toDescription(method),
    toCodeBlock(toSignature(method)),
    ...toDetails(method),
  ]
}

function toDescription(item: ApiDeclaredItem): string[] {
  const { description } = findComment(item)
  return description === '' ? [] : [description]
}

/** Returns the parameters, the returned value, the exceptions and the examples. */
function toDetails(item: ApiDeclaredItem): string[] {
  const { parameters, returns, throws, examples } = findComment(item)
  const names = ApiParameterListMixin.isBaseClassOf(item)
    ? item.parameters.map(({ name }) => name)
    : []
  const rows = names.map((name) => `- ${toCode(name)}: ${parameters.get(name)}`)
  const documented = rows.filter((_, at) => parameters.has(names[at] ?? ''))
  const exceptions = throws.map(({ type, condition }) => `- ${toCode(type)}: ${condition}`)
  return [
    ...(documented.length > 0 ? [`Parameters:\n\n${documented.join('\n')}`] : []),
    ...(returns === undefined ? [] : [`Returns: ${returns}`]),
    ...(exceptions.length > 0 ? [`Throws:\n\n${exceptions.join('\n')}`] : []),
    ...examples.map((example) => `Example:\n\n${toCodeBlock(example)}`),
  ]
}

/** Returns the name of a declaration, without the number that API Extractor adds to global names. */
export function toName({ displayName }: ApiDeclaredItem): string {
  return displayName.replace(/_\d+$/, '')
}

/** Returns links to the declarations that the signatures mention. */
function toSeeAlso({ item, mentions }: Declaration, anchors: Anchors): string[] {
  const tokens = [item, ...listMembers(item).filter(isMethod)].flatMap(
    ({ excerptTokens }) => excerptTokens,
  )
  const found = new Set(tokens.map(mentions))
  const links = [...found]
    .filter((other) => other !== undefined && other.item !== item && anchors.has(other))
    .map((other) => other && toLink(other, anchors))
  return links.length > 0 ? [`See also: ${links.join(', ')}.`] : []
}

/** Returns a link to the section of a declaration. */
export function toLink(declaration: Declaration, anchors: Anchors): string {
  return `[${toCode(toName(declaration.item))}](${anchors.get(declaration)})`
}

function isMethod({ kind }: ApiDeclaredItem): boolean {
  return kind === ApiItemKind.Method || kind === ApiItemKind.MethodSignature
}

function toSignature({ excerpt }: ApiDeclaredItem): string {
  return excerpt.text
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/(?<=\w)_\d+\b/g, '')
    .trim()
}

/** Uses `typescript`, because `ts` marks the snippets that tests run. */
function toCodeBlock(code: string): string {
  return `\`\`\`typescript\n${code}\n\`\`\``
}

/** Reads the docstring of a declaration. */
export function findComment(item: ApiDeclaredItem): Comment {
  const comment = item instanceof ApiDocumentedItem ? item.tsdocComment?.emitAsTsdoc() : undefined
  return readComment(comment ?? '')
}
