import { toCode, toTable } from '../reference/markdown.js'
import { collectDeclarations, type Declaration } from './declarations.js'
import { extractEntryPoints, type TypedExports } from './extract.js'
import { hasSection, toDeclarationSection, toName, toTypeRow } from './section.js'
import { tasks } from './tasks.js'

/** The fields of package.json that the page uses. */
export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
}

/** The purpose of each entry point. */
const purposes: Readonly<Record<string, string>> = {
  'petstore-sandbox': 'A sandbox in the current process, in any JavaScript runtime.',
  'petstore-sandbox/node': 'The same in Node.js, with scenario files and stores in addition.',
  'petstore-sandbox/server': 'A sandbox as an HTTP server. Node.js only.',
  'petstore-sandbox/browser': "A sandbox in a page, behind msw's service worker.",
  'petstore-sandbox/devtools': 'A panel in a page that shows and controls a world.',
  'petstore-sandbox/connect': 'A world of a sandbox over HTTP, from any process or machine.',
  'petstore-sandbox/vitest': 'Fixtures and matchers for vitest.',
  'petstore-sandbox/vite': 'A plugin for Vite.',
  'petstore-sandbox/playwright': 'Fixtures and matchers for Playwright.',
  'petstore-sandbox/vitest-reporter':
    'A reporter for vitest that writes one report of all tests of a run.',
  'petstore-sandbox/playwright-reporter':
    'A reporter for Playwright that writes one report of all tests of a run.',
}

const introduction = `<!-- Written by npm run derive from the declaration files in dist. Do not edit. -->

# JavaScript API

What a program calls, by task. The declaration files of the package also have the types that are not
listed here. Times are in milliseconds, unless a name says otherwise.`

/**
 * Creates the JavaScript API page in Markdown.
 *
 * @param root Path of the repository, with dist built.
 * @throws {Error} If an entry point has no purpose, or an export belongs to no task.
 */
export async function toJavaScriptApiMarkdown(root: string, manifest: Manifest): Promise<string> {
  const { exportLists, others } = collectDeclarations(
    await extractEntryPoints(root, manifest.name, findTypedExports(manifest)),
  )
  const origins = new Map<Declaration, string[]>()
  for (const { specifier, declarations } of exportLists) {
    for (const declaration of declarations) {
      origins.set(declaration, [...(origins.get(declaration) ?? []), toCode(specifier)])
    }
  }
  checkTasks([...origins.keys()])
  const all = [...origins.keys(), ...others]
  const parts = [introduction, toEntryPointTable(exportLists.map(({ specifier }) => specifier))]
  for (const { title, text, names } of tasks) {
    parts.push(`## ${title}`, text)
    const rows: (readonly string[])[] = []
    for (const declaration of names.flatMap((name) =>
      all.filter(({ item }) => toName(item) === name),
    )) {
      const origin = origins.get(declaration)?.join(', ')
      if (await hasSection(declaration)) {
        parts.push(...(await toDeclarationSection(declaration, origin)))
      } else rows.push(await toTypeRow(declaration))
    }
    if (rows.length > 0) parts.push('### Types', toTable(['type', 'description'], rows))
  }
  return `${parts.join('\n\n')}\n`
}

function findTypedExports({ exports }: Manifest): TypedExports {
  const typed: Record<string, string> = {}
  for (const [path, target] of Object.entries(exports)) {
    if (typeof target !== 'object' || target.types === undefined) continue
    typed[path] = target.types.replace('/esm/', '/types/src/')
  }
  return typed
}

/** @throws {Error} If a declaration belongs to no task. */
function checkTasks(exported: readonly Declaration[]): void {
  const known = new Set(tasks.flatMap(({ names }) => names))
  const missing = exported.map(({ item }) => toName(item)).filter((name) => !known.has(name))
  if (missing.length === 0) return
  throw new Error(`scripts/javascript-api/tasks.ts must name ${[...new Set(missing)].join(', ')}`)
}

function toEntryPointTable(specifiers: readonly string[]): string {
  const rows = specifiers.map((specifier) => {
    const purpose = purposes[specifier]
    if (purpose !== undefined) return [toCode(specifier), purpose]
    throw new Error(`scripts/javascript-api/page.ts must have the purpose of ${specifier}`)
  })
  return toTable(['entry point', 'purpose'], rows)
}
