// Writes docs/reference.md from the contract: node scripts/derive-reference.mjs after a build. A
// test fails when the file is stale.
import { writeFile } from 'node:fs/promises'
import { toReferenceMarkdown } from '../dist/src/contract/reference.js'

await writeFile(new URL('../docs/reference.md', import.meta.url), toReferenceMarkdown())
