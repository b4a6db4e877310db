import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

type Step = 'imported' | 'served' | 'controlled'

test('a sandbox loads nothing for its first response, and the control API with the first request to it', async () => {
  const script = join(import.meta.dirname, 'count-loaded.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const { imported, served, controlled }: Record<Step, string[]> = JSON.parse(stdout)
  expect(imported).toContain('engine/sandbox.ts')
  expect(served).toEqual(imported)
  const added = controlled.filter((path) => !served.includes(path))
  expect(added).toEqual(expect.arrayContaining(['engine/control.ts', 'control/operations.ts']))
})
