// Writes scenarios/scenario.schema.json from the zod schema: node scripts/derive-scenario-schema.mjs
// after a build. A test fails when the file is stale.
import { writeFile } from 'node:fs/promises'
import { toScenarioJsonSchema } from '../dist/src/scenario/json-schema.js'

const file = new URL('../scenarios/scenario.schema.json', import.meta.url)
await writeFile(file, `${JSON.stringify(toScenarioJsonSchema(), null, 2)}\n`)
