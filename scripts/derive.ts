// Writes the files that are derived from the source: npm run derive.
// A test in test/docs, test/scenario or test/report fails if one of them is stale.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toFidelityMarkdown } from './fidelity/page.js'
import { toJavaScriptApiMarkdown } from './javascript-api/page.js'
import { toControlReferenceMarkdown } from './reference/control.js'
import { toReferenceMarkdown } from './reference/service.js'
import { toReportTokens } from './report-tokens.js'
import { toScenarioJsonSchema } from './scenario-schema.js'

/** The root of the repository, seen from dist/derive/scripts. */
const root = new URL('../../../', import.meta.url)
const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))

const tokens = await readFile(new URL('src/console/styles/tokens.css', root), 'utf8')
const specification = await readFile(new URL('docs/specification.md', root), 'utf8')

const files: Readonly<Record<string, string>> = {
  'docs/reference.md': `${toReferenceMarkdown()}\n${toControlReferenceMarkdown()}`,
  'docs/fidelity.md': toFidelityMarkdown(specification),
  'docs/javascript-api.md': await toJavaScriptApiMarkdown(fileURLToPath(root), manifest),
  'src/report/format/html/tokens.json': `${JSON.stringify(toReportTokens(tokens), null, 2)}\n`,
  'scenarios/scenario.schema.json': `${JSON.stringify(toScenarioJsonSchema(), null, 2)}\n`,
}

for (const [path, content] of Object.entries(files)) await writeFile(new URL(path, root), content)
