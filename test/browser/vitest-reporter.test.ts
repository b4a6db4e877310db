import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test("petstore-sandbox/vitest-reporter receives the requests of vitest's browser mode", async () => {
  const args = [
    ...[
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--config',
      'test/browser/vitest.config.ts',
    ],
    ...['--project', 'in the page', '--reporter', `${root}dist/esm/vitest-reporter.js`],
    'test/browser/in-page/fixture.test.ts',
  ]
  // The variables of this run must not affect the other.
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, VITEST_MODE, NODE_ENV, ...env } = process.env
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
  expect(output).toMatch(/^petstore-sandbox: 3 requests of 3 tests$/m)
}, 120_000)
