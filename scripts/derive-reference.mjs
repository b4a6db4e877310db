// Writes docs/reference.md from the contract and the control table: node scripts/derive-reference.mjs
// after a build. A test fails when the file is stale.
import { writeFile } from 'node:fs/promises'
import { toReferenceMarkdown } from '../dist/src/contract/reference.js'
import { toControlReferenceMarkdown } from '../dist/src/control/reference.js'

const page = `${toReferenceMarkdown()}\n${toControlReferenceMarkdown()}`
await writeFile(new URL('../docs/reference.md', import.meta.url), page)
