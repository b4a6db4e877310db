import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'

const folder = `${import.meta.dirname}/projects`
const vitest = `${import.meta.dirname}/../../node_modules/vitest/vitest.mjs`

/** Runs vitest on the projects, as a user would, and gives all that it prints. */
function runProjects(...options: string[]): Promise<string> {
  const args = [vitest, 'run', '--root', folder, '--config', `${folder}/vitest.config.ts`]
  // What this run has set must not reach the other.
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, VITEST_MODE, NODE_ENV, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1', CI: '' }
  return new Promise((resolve) => {
    execFile(process.execPath, [...args, ...options], { env }, (_, out, err) => resolve(out + err))
  })
}

/** What is printed of one failed test. */
function failureOf(output: string, title: string): string {
  const blocks = output.split(/^ FAIL {2}/m).slice(1)
  return blocks.find((block) => block.split('\n', 1)[0]?.endsWith(`> ${title}`)) ?? ''
}

const output = await runProjects('--reporter=default')

describe('a test that fails', () => {
  test('fails as it would without a sandbox', () => {
    expect(output).toContain('failing.spec.ts (9 tests | 8 failed)')
  })

  test('shows the calls of its world with explanations beside its error', () => {
    const failure = failureOf(output, 'an assertion')
    expect(failure).toContain(
      [
        'AssertionError: expected 404 to be 200 // Object.is equality',
        '',
        'The calls that reached this world (2):',
        '  #1 PATCH /inventory/1 → 400 unsupported_media_type, updateInventory',
      ].join('\n'),
    )
    expect(failure).toContain(
      '       body {"quantity":-1}\n       key sbx_free_def… is on plan Free',
    )
    expect(failure).toContain('       refused with 400 unsupported_media_type: ')
    expect(failure).toContain(
      '  #2 GET /inventry → 404 route_not_found, no operation; nearest is listInventory, GET /inventory\n',
    )
    expect(failure).toContain('failing.spec.ts:8:27')
  })

  test('shows the calls that came without its key', () => {
    const failure = failureOf(output, 'a key that is missing')
    expect(failure).toContain('No call reached this world: a call reaches it by its API key.')
    expect(failure).toContain(
      'Meanwhile 1 call came without the key of a test; a client under test sends sandbox.apiKey:\n',
    )
    expect(failure).toContain('GET /inventory → 401 missing_api_key, listInventory')
  })

  test('shows the calls of its staging world', () => {
    const failure = failureOf(output, 'a staging call')
    expect(failure).toContain('TypeError: thrown by the test\n')
    expect(failure).toContain('In staging: The calls that reached this world (1):\n')
  })

  test('shows its calls once when its error tells them already', () => {
    const failure = failureOf(output, 'a matcher')
    expect(failure.split('The calls that reached this world')).toHaveLength(2)
  })

  test('shows its calls when it takes too long', () => {
    const failure = failureOf(output, 'a test that takes too long')
    expect(failure).toContain('Test timed out in 500ms')
    expect(failure).toContain('#1 GET /pets/1 → 200, getPet')
  })

  test('shows none of the calls of a test that runs at the same time', () => {
    const one = failureOf(output, 'one of two at once')
    const other = failureOf(output, 'the other of two at once')
    expect([one, other].map((text) => text.match(/GET \/\S+/g))).toEqual([
      ['GET /inventory'],
      ['GET /store/orders'],
    ])
  })

  test('names the scenario that was probably meant', () => {
    const failure = failureOf(output, 'a scenario that is unknown')
    expect(failure).toContain('ScenarioError: ')
    expect(failure).toContain('did you mean "low-stock"?')
  })
})

test('a test that passes prints nothing', () => {
  expect(output).toContain('✓ a test that passes')
  expect(output).not.toContain('/inventory/77')
})

describe('files with the same tests', () => {
  test('never meet when they run at the same time', () => {
    expect(output).toContain('✓ parallel/a.spec.ts (3 tests)')
    expect(output).toContain('✓ parallel/b.spec.ts (3 tests)')
  })

  test('never meet when they share a process and its modules', async () => {
    const options = ['--no-isolate', '--maxWorkers=1', '--sequence.concurrent']
    expect(await runProjects('parallel', ...options)).toContain('6 passed (6)')
  })
})

test('a sandbox of your own, in a server of your own, serves the tests', () => {
  expect(output).toContain('✓ own-server/own-server.spec.ts (3 tests)')
})

test('a second msw server is refused with the way out, and the first stays as it was', () => {
  expect(output).toContain('second-server.spec.ts (2 tests | 1 failed)')
  expect(output).toContain('the requests of this process are intercepted already')
  expect(output).toContain('test.override({ sandboxOptions: { sandbox } })')
})

test('the config of a project provides the options for all of its files', () => {
  expect(output).toContain('✓ provided/provided.spec.ts (1 test)')
})
