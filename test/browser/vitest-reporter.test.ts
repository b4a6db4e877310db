import { expect, test } from 'vitest'
import { runTests } from '../support/test-runners.js'

test("petstore-sandbox/vitest-reporter receives the requests of vitest's browser mode", async () => {
  const { output } = await runTests('vitest', [
    ...['run', '--config', 'test/browser/vitest.config.ts', '--project', 'in the page'],
    ...['--reporter', './dist/esm/vitest-reporter.js', 'test/browser/in-page/fixture.test.ts'],
  ])
  expect(output).toMatch(/^petstore-sandbox: 3 requests of 3 tests$/m)
}, 120_000)
