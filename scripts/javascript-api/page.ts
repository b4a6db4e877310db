import { type ApiDeclaredItem, ApiItemKind } from '@microsoft/api-extractor-model'
import { toCode, toTable } from '../reference/markdown.js'
import { collectDeclarations, type Declaration, type ExportList } from './declarations.js'
import { extractEntryPoints, type TypedExports } from './extract.js'
import { type Anchors, findComment, toDeclarationSection, toLink, toName } from './section.js'

/** The fields of package.json that the page uses. */
export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
}

/** The purpose of each entry point, and what its declarations do not show. */
const introductions: Readonly<Record<string, string>> = {
  'petstore-sandbox':
    'A sandbox in the current process, in any JavaScript runtime. Does not need Node.js.',
  'petstore-sandbox/node':
    'A sandbox in the current process, with scenario files from a directory. Node.js only.',
  'petstore-sandbox/server':
    'A sandbox as an HTTP server. Node.js only. See [HTTP server](./http-server.md).',
  'petstore-sandbox/browser':
    "A sandbox in a page, behind msw's service worker. See [Front end](./front-end.md).",
  'petstore-sandbox/devtools':
    'A panel in a page that shows and controls a world. See [Panel](./panel.md).',
  'petstore-sandbox/connect':
    'A world of a sandbox over HTTP, from any test runner, process or machine. See [Remote worlds](./remote.md).',
  'petstore-sandbox/vitest':
    "Fixtures for vitest. Importing this entry point also adds the matchers `toHaveReceived`, `toHaveReceivedInOrder` and `toHaveReceivedNothingUnmatched` to vitest's `expect`; see [Testing](./testing.md#matchers).",
  'petstore-sandbox/playwright':
    'Fixtures for Playwright. Its `expect` is that of Playwright with the matchers of the vitest entry point. See [Testing](./testing.md#playwright).',
  'petstore-sandbox/vitest-reporter':
    'A reporter for vitest that writes one [integration report](./report.md#test-runs) of all tests of a run.',
  'petstore-sandbox/playwright-reporter':
    'A reporter for Playwright that writes one [integration report](./report.md#test-runs) of all tests of a run.',
}

const introduction = `<!-- Written by npm run derive from the declaration files in dist. Do not edit. -->

# JavaScript API

Every export of every entry point of the package. A declaration that several entry points export is
described once. [Other types](#other-types) describes the types that appear in signatures but cannot
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
    parts.push(...(await toDeclarationSection(declaration, anchors)))
  }
  for (const { specifier, declarations } of exportLists) {
    parts.push(`## ${specifier}`, findIntroduction(specifier), toExportTable(declarations, anchors))
    for (const declaration of declarations) await write(declaration)
  }
  parts.push('## Other types', 'These types appear in signatures. No entry point exports them.')
  for (const declaration of others) await write(declaration)
  return `${parts.join('\n\n')}\n`
}

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

/** Returns the anchors that Markdown renderers create. They number repeated headings. */
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

const kinds: Partial<Record<ApiItemKind, string>> = { [ApiItemKind.TypeAlias]: 'type' }

function toKind({ kind }: ApiDeclaredItem): string {
  return kinds[kind] ?? kind.toLowerCase()
}

function toFirstSentence(text: string): string {
  return /^[\s\S]*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}
