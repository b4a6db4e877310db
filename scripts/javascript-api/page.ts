import {
  type ApiDeclaredItem,
  ApiDocumentedItem,
  ApiItemKind,
  ApiOptionalMixin,
  ApiParameterListMixin,
} from '@microsoft/api-extractor-model'
import { toCode, toTable } from '../reference/markdown.js'
import { type Comment, readComment } from './comment.js'
import {
  collectDeclarations,
  type Declaration,
  type ExportList,
  listMembers,
} from './declarations.js'
import { extractEntryPoints, type TypedExports } from './extract.js'
import { evaluateType } from './values.js'

/** What package.json says about the package. */
export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
}

/** What each entry point is for, and what the declarations do not show. */
const introductions: Readonly<Record<string, string>> = {
  'petstore-sandbox':
    'A sandbox in the current process, in any JavaScript runtime. Does not need Node.js.',
  'petstore-sandbox/node':
    'A sandbox in the current process, with scenario files from a directory. Node.js only.',
  'petstore-sandbox/server':
    'A sandbox as an HTTP server. Node.js only. See [HTTP server](./http-server.md).',
  'petstore-sandbox/browser':
    "A sandbox in a page, behind msw's service worker. See [Front end](./front-end.md).",
  'petstore-sandbox/vitest':
    "Fixtures for vitest. Importing this entry point also adds the matchers `toHaveReceived` and `toHaveReceivedNothingUnmatched` to vitest's `expect`; see [Testing](./testing.md#matchers).",
  'petstore-sandbox/playwright':
    "Fixtures for Playwright. This entry point also exports Playwright's `expect`. See [Testing](./testing.md#playwright).",
}

const introduction = `<!-- Written by npm run derive from the declaration files in dist. Do not edit. -->

# JavaScript API

Every export of every entry point of the package. A declaration that several entry points export is
written once. [Other types](#other-types) describes the types that appear in signatures but cannot
be imported. Times are in milliseconds, unless a name says otherwise.`

/**
 * Creates the JavaScript API page in Markdown.
 *
 * @param root Path of the repository, with dist built.
 * @throws {Error} If an entry point has no introduction.
 */
export async function toJavaScriptApiMarkdown(root: string, manifest: Manifest): Promise<string> {
  const { exportLists, others } = collectDeclarations(
    await extractEntryPoints(root, manifest.name, findTypedExports(manifest)),
  )
  const anchors = createAnchors(exportLists, others)
  const written = new Set<Declaration>()
  const parts = [introduction, '## Entry points', toEntryPointTable(exportLists)]
  const write = async (declaration: Declaration) => {
    if (written.has(declaration)) return
    written.add(declaration)
    parts.push(...(await toDeclarationParts(root, declaration, anchors)))
  }
  for (const { specifier, declarations } of exportLists) {
    parts.push(`## ${specifier}`, findIntroduction(specifier), toExportTable(declarations, anchors))
    for (const declaration of declarations) await write(declaration)
  }
  parts.push('## Other types', 'These types appear in signatures. No entry point exports them.')
  for (const declaration of others) await write(declaration)
  return `${parts.join('\n\n')}\n`
}

type Anchors = ReadonlyMap<Declaration, string>

function findTypedExports({ exports }: Manifest): TypedExports {
  const typed: Record<string, string> = {}
  for (const [path, target] of Object.entries(exports)) {
    if (typeof target === 'object' && target.types !== undefined) typed[path] = target.types
  }
  return typed
}

function findIntroduction(specifier: string): string {
  const found = introductions[specifier]
  if (found !== undefined) return found
  throw new Error(
    `scripts/javascript-api/page.ts must have an introduction for ${specifier}, found none`,
  )
}

/** The anchors that a Markdown renderer gives the headings: a repeated heading gets a number. */
function createAnchors(
  exportLists: readonly ExportList[],
  others: readonly Declaration[],
): Anchors {
  const anchors = new Map<Declaration, string>()
  const counts = new Map<string, number>()
  for (const declaration of [
    ...exportLists.flatMap(({ declarations }) => declarations),
    ...others,
  ]) {
    if (anchors.has(declaration)) continue
    const slug = toName(declaration.item).toLowerCase()
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.set(declaration, count === 0 ? `#${slug}` : `#${slug}-${count}`)
  }
  return anchors
}

function toEntryPointTable(exportLists: readonly ExportList[]): string {
  const rows = exportLists.map(({ specifier }) => [
    `[${toCode(specifier)}](#${specifier.replaceAll(/[^\w-]/g, '')})`,
    findIntroduction(specifier),
  ])
  return toTable(['entry point', 'purpose'], rows)
}

function toExportTable(declarations: readonly Declaration[], anchors: Anchors): string {
  const rows = declarations.map((declaration) => {
    const { item } = declaration
    const { description } = findComment(item)
    return [toLink(declaration, anchors), toKind(item), toFirstSentence(description)]
  })
  return toTable(['export', 'kind', 'description'], rows)
}

async function toDeclarationParts(
  root: string,
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
    ...(await toDerivedParts(root, declaration)),
    ...toPropertyTable(properties, declaration, anchors),
    ...methods.flatMap((method) => toMethodParts(method, item.displayName)),
    ...toSeeAlso(declaration, anchors),
  ]
}

/** The fields or values of a type that is derived from a value. */
async function toDerivedParts(root: string, declaration: Declaration): Promise<string[]> {
  const type = await evaluateType(root, declaration)
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
        .join(' '),
    ]
  })
  return [toTable(['property', 'type', 'description'], rows)]
}

/** `number` of `readonly id: number;`, `get id(): number;` and `id = 1;`. */
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

/** Parameters, the returned value, exceptions and examples. */
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

/** API Extractor numbers a type that has the name of a global one. */
function toName({ displayName }: ApiDeclaredItem): string {
  return displayName.replace(/_\d+$/, '')
}

/** Links to the declarations that a signature mentions. */
function toSeeAlso({ item, mentions }: Declaration, anchors: Anchors): string[] {
  const tokens = [item, ...listMembers(item).filter(isMethod)].flatMap(
    ({ excerptTokens }) => excerptTokens,
  )
  const found = new Set(tokens.map(mentions))
  const links = [...found].flatMap((one) =>
    one !== undefined && one.item !== item && anchors.has(one) ? [toLink(one, anchors)] : [],
  )
  return links.length > 0 ? [`See also: ${links.join(', ')}.`] : []
}

function toLink(declaration: Declaration, anchors: Anchors): string {
  return `[${toCode(toName(declaration.item))}](${anchors.get(declaration)})`
}

function isMethod({ kind }: ApiDeclaredItem): boolean {
  return kind === ApiItemKind.Method || kind === ApiItemKind.MethodSignature
}

const kinds: Partial<Record<ApiItemKind, string>> = { [ApiItemKind.TypeAlias]: 'type' }

function toKind({ kind }: ApiDeclaredItem): string {
  return kinds[kind] ?? kind.toLowerCase()
}

function toSignature({ excerpt }: ApiDeclaredItem): string {
  return excerpt.text
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/(?<=\w)_\d+\b/g, '')
    .trim()
}

/** Not `ts`, which marks the snippets that tests run. */
function toCodeBlock(code: string): string {
  return `\`\`\`typescript\n${code}\n\`\`\``
}

function toFirstSentence(text: string): string {
  return /^[\s\S]*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

function findComment(item: ApiDeclaredItem): Comment {
  const comment = item instanceof ApiDocumentedItem ? item.tsdocComment?.emitAsTsdoc() : undefined
  return readComment(comment ?? '')
}
