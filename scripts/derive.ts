// Writes the files that are derived from the source: npm run derive.
// A test in test/docs, test/scenario or test/lint fails if one of them is stale.
import { writeFile } from 'node:fs/promises'
import { toControlReferenceMarkdown } from './reference/control.js'
import { toReferenceMarkdown } from './reference/service.js'
import { toScenarioJsonSchema } from './scenario-schema.js'

/** The root of the repository, seen from dist/scripts. */
const root = new URL('../../', import.meta.url)

const files: Readonly<Record<string, string>> = {
  'docs/reference.md': `${toReferenceMarkdown()}\n${toControlReferenceMarkdown()}`,
  'scenarios/scenario.schema.json': `${JSON.stringify(toScenarioJsonSchema(), null, 2)}\n`,
}

for (const [path, content] of Object.entries(files)) await writeFile(new URL(path, root), content)
