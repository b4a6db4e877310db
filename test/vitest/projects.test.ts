import { describe, expect, test } from 'vitest'
import { runTests } from '../support/test-runners.js'

const folder = `${import.meta.dirname}/projects`

/** Runs the projects, and returns the output. */
async function runProjects(...options: string[]): Promise<string> {
  const args = ['run', '--root', folder, '--config', `${folder}/vitest.config.ts`, ...options]
  return (await runTests('vitest', args)).output
}

/** Returns the output of one failed test. */
function failureOf(output: string, title: string): string {
  const blocks = output.split(/^ FAIL {2}/m).slice(1)
  return blocks.find((block) => block.split('\n', 1)[0]?.endsWith(`> ${title}`)) ?? ''
}

const output = await runProjects('--reporter=default')

describe('a test that fails', () => {
  test('fails as it would without a sandbox', () => {
    expect(output).toContain('failing.spec.ts (11 tests | 10 failed)')
  })

  test.each([
    [
      'an assertion',
      'AssertionError: expected 404 to be 200 // Object.is equality\n\nRequests received by this world (2):\n',
      '  #1 PATCH /inventory/1 → 400 unsupported_media_type, updateInventory',
      '       body {"quantity":-1}\n       key sbx_free_def… is on plan Free',
      '       rejected with 400 unsupported_media_type: ',
      '  #2 GET /inventry → 404 route_not_found, no operation; nearest is listInventory, GET /inventory\n',
      'failing.spec.ts:8:27',
    ],
    [
      'a key that is missing',
      'This world received no requests. Check that the client sends the API key of this world.',
      '1 request arrived without the key of a test; the client must send sandbox.apiKey:\n',
      'GET /inventory → 401 missing_api_key, listInventory',
    ],
    [
      'a staging request',
      'TypeError: thrown by the test\n',
      'Staging: Requests received by this world (1):\n',
    ],
    ['a test that takes too long', 'Test timed out in 500ms', '#1 GET /pets/1 → 200, getPet'],
    [
      'a client before a ban',
      'Bans:\n  the account "free" has 9 of 10 rejections; the next one bans the key for 300 s\n',
      'A client must wait for Retry-After before it retries. To lift a ban: world.quota.account(plan).set({ ban: null })',
    ],
    ['a banned client', 'Bans:\n  the account "free" is banned until 2026-01-15T09:05:00Z\n'],
    ['a scenario that is unknown', 'ScenarioError: ', 'did you mean "low-stock"?'],
  ])('shows what its world received: %s', (title, ...parts) => {
    const failure = failureOf(output, title)
    for (const part of parts) expect(failure).toContain(part)
  })

  test('shows bans only if there are some', () => {
    expect(failureOf(output, 'an assertion')).not.toContain('Bans:')
  })

  test('shows its requests once if its error contains them', () => {
    const failure = failureOf(output, 'a matcher')
    expect(failure.split('Requests received by this world')).toHaveLength(2)
  })

  test('does not show the requests of a concurrent test', () => {
    const first = failureOf(output, 'the first of two concurrent tests')
    const second = failureOf(output, 'the second of two concurrent tests')
    expect([first, second].map((text) => text.match(/GET \/\S+/g))).toEqual([
      ['GET /inventory'],
      ['GET /store/orders'],
    ])
  })
})

test('a test that passes prints nothing', () => {
  expect(output).toContain('✓ a test that passes')
  expect(output).not.toContain('/inventory/77')
})

describe('two files with the same tests', () => {
  test('are isolated when they run at the same time', () => {
    expect(output).toContain('✓ parallel/a.spec.ts (3 tests)')
    expect(output).toContain('✓ parallel/b.spec.ts (3 tests)')
  })

  test('are isolated when they share a process and its modules', async () => {
    const options = ['--no-isolate', '--maxWorkers=1', '--sequence.concurrent']
    expect(await runProjects('parallel', ...options)).toContain('6 passed (6)')
  })
})

test('an override at the top of a file does not affect the next file of a shared process', async () => {
  const output = await runProjects('overrides', '--no-isolate', '--maxWorkers=1')
  expect(output).toContain('3 passed (3)')
})

test('an existing sandbox in an existing msw server serves the tests', () => {
  expect(output).toContain('✓ own-server/own-server.spec.ts (3 tests)')
})

test('a second msw server is rejected with a solution, and the first is not affected', () => {
  expect(output).toContain('second-server.spec.ts (2 tests | 1 failed)')
  expect(output).toContain('the requests of this process are already intercepted')
  expect(output).toContain('test.override({ sandboxOptions: { sandbox } })')
})

describe('a fault that no request triggered', () => {
  /** Returns the warnings of one test. */
  const warningsOf = (title: string) => {
    const [, warnings = ''] = output.split(`stderr | faults/faults.spec.ts > ${title}\n`)
    return warnings.split('\n\n', 1)[0]
  }

  test.each([
    [
      'a fault on another operation',
      'getPet responds with 503; the nearest request is #1 GET /inventory → 200, listInventory',
    ],
    [
      'a fault that is replaced',
      'every operation resets the connection, 2 uses left; the world received no requests',
    ],
    ['a sequence that only let requests pass', expect.stringContaining('503')],
  ])('is printed once at the end of the test: %s', (title, line) => {
    const heading = 'petstore-sandbox: no request triggered 1 fault of this test:'
    expect(warningsOf(title)?.split('\n  ')).toEqual([heading, line])
  })

  test.each([
    'a fault that is used',
    'a sequence that is used',
    'a scenario with a rate > that draws no fault',
  ])('is not printed: %s', (title) => {
    expect(output).not.toContain(`faults.spec.ts > ${title}`)
  })

  test('fails the test with strictFaults', () => {
    expect(output).toMatch(
      /an unused fault of the staging world\nError: no request triggered 1 fault of this test:\n {2}every operation responds with 500 \(staging\); the world received no requests/,
    )
    expect(output).toContain('faults/faults.spec.ts (8 tests | 2 failed)')
  })

  test('is part of the report of a test that fails for another reason', () => {
    const failure = failureOf(output, 'an unused fault of a failing test')
    expect(failure).toContain('AssertionError: for another reason')
    expect(failure.split('no request triggered 1 fault')).toHaveLength(2)
  })
})

describe('strictKeys', () => {
  const heading =
    '1 request arrived without the key of a test; the client must send sandbox.apiKey:'

  test('fails a test that sent a request with a shared key, or with none', () => {
    for (const title of ['a shared key', 'no key']) {
      expect(output).toMatch(new RegExp(`strict > ${title}\\nError: 1 request arrived without`))
    }
  })

  test('fails no other test, and keeps the error of one that has failed', () => {
    expect(output).toContain('keys/keys.spec.ts (5 tests | 3 failed)')
    const failure = failureOf(output, 'another failure')
    expect(failure).toContain('AssertionError: for another reason')
    expect(failure.split(heading)).toHaveLength(2)
  })
})

describe('onUnhandledRequest', () => {
  const message =
    'GET https://api.petstore.test/v1/inventory is to no address of the sandbox; did you mean https://provided.test/v1/inventory?'

  test('error fails the request and names the correct host, in the output and in the report', () => {
    expect(output).toContain(`petstore-sandbox: ${message}`)
    const failure = failureOf(output, 'a correct path on a wrong host')
    expect(failure).toContain('AssertionError: to see the report')
    expect(failure).toContain(message)
    expect(failure).toContain('GET https://provided.test/inventory is to no address of the sandbox')
  })

  test('warn prints a warning and sends the request', () => {
    expect(output).toContain('✓ unhandled/warn.spec.ts (1 test)')
    expect(output).toMatch(
      /petstore-sandbox: GET http:\/\/localhost:\d+\/pets\/7 is to no address of the sandbox; did you mean https:\/\/provided\.test\/v1\/pets\/7\?/,
    )
  })
})

test('an assertion on a remote world fails its test if it is not awaited', () => {
  expect(output).toContain('remote/remote.spec.ts (5 tests | 4 failed)')
  for (const [title, matcher] of [
    ['a true assertion that is not awaited', 'toHaveReceived'],
    ['a false assertion that is not awaited', 'toHaveReceived'],
    ['a false assertion in a concurrent test', 'toHaveReceivedInOrder'],
  ] as const) {
    expect(failureOf(output, title)).toContain(
      `Error: the test ended before ${matcher} of a remote world: await expect(…).${matcher}(…)`,
    )
  }
  expect(failureOf(output, 'a false soft assertion')).toContain(
    'expected the world to receive listOrders, but it did not.',
  )
})
