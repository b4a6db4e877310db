import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** What a warm request over HTTP may execute of the source. These limits only go down. */
const limits = {
  'GET /inventory': { operation: 'list-inventory', files: 17, functions: 84 },
  'PATCH /inventory/1': { operation: 'update-inventory', files: 24, functions: 132 },
}

const script = join(import.meta.dirname, 'count-executed.mjs')
const { stdout } = await promisify(execFile)(process.execPath, [script])
/** The number of called functions by file, by request. */
const counts: Record<string, Record<string, number>> = JSON.parse(stdout)

test.each(Object.entries(limits))('a warm %s executes at most %j', (request, limit) => {
  const { [request]: called = {} } = counts
  const functions = Object.values(called).reduce((sum, count) => sum + count, 0)
  const list = JSON.stringify(called, null, 2)
  expect(list).toContain(`/${limit.operation}.ts`)
  expect(Object.keys(called).length, list).toBeLessThanOrEqual(limit.files)
  expect(functions, list).toBeLessThanOrEqual(limit.functions)
})
