import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const maximumFiles = 31

test(`a warm GET /inventory over HTTP executes at most ${maximumFiles} files of the package`, async () => {
  const script = join(import.meta.dirname, 'count-files.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const files = stdout.trim().split('\n').toSorted()
  expect(files).toContain('operations/list-inventory.ts')
  expect(files.slice(maximumFiles), files.join(', ')).toEqual([])
})
