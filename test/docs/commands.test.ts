import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { paste, readShellBlocks, run, start } from './shell.js'

// A program starts slowly where much else runs.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const root = new URL('../../', import.meta.url)
const readme = await readFile(new URL('README.md', root), 'utf8')
const blocks = readShellBlocks(readme)
const manifest: { scripts: Record<string, string> } = JSON.parse(
  await readFile(new URL('package.json', root), 'utf8'),
)
const scripts = Object.keys(manifest.scripts)

/** Blocks that no test here runs, and why. */
const exempt: Readonly<Record<string, string>> = {
  'npm test\nnpm run check': 'they are what .ci/run runs, this test among it',
  'npx msw init public --save': 'test/package runs it in the project of a user, where it belongs',
}

/** The blocks that the tests below run, each found by what no other block has in it. */
const shown = {
  start: findBlock('npm ci'),
  otherPort: findBlock('--port'),
  firstRequest: findBlock("-i -H 'Authorization: Bearer sbx_free' http"),
  preference: findBlock('Prefer: code=429'),
  operations: findBlock('/quickstart/messages'),
  scenarioFile: findBlock('three-pets.json'),
  steering: findBlock('$SANDBOX/clock'),
  storefront: findBlock('example:storefront'),
}

test('npm ci && npm start serves the default scenario', async () => {
  expect(shown.start).toBe('npm ci && npm start')

  const url = await start('npm start')

  expect(await readPetIds(url)).toHaveLength(12)
  expect((await fetch(url)).headers.get('Content-Type')).toContain('text/html')
})

test('npm start takes another port and another state of the service', async () => {
  expect(shown.otherPort).toBe('npm start -- --port 4011 --scenario nearly-limited')

  const url = await start(shown.otherPort.replace('4011', '0'))

  const { status, headers } = await list(url)
  expect([status, headers.get('X-RateLimit-Remaining')]).toEqual([200, '0'])
  expect((await list(url)).status).toBe(429)
})

test('the first request lists the inventory', async () => {
  const answers = await paste(shown.firstRequest, await start('npm start'))

  expect(answers).toEqual([
    {
      status: 200,
      head: expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nX-RateLimit-Limit: 60\r\n/),
      body: expect.arrayContaining([{ petId: 1, quantity: 4, status: 'available' }]),
    },
  ])
})

test('Prefer asks for an error, and for a wait', async () => {
  const startedAt = performance.now()

  const answers = await paste(shown.preference, await start('npm start'))

  expect(answers).toEqual([
    {
      status: 429,
      head: expect.stringMatching(/\r\nRetry-After: \d+\r\n/),
      body: expect.objectContaining({ code: 'rate_limit_exceeded' }),
    },
    {
      status: 200,
      head: expect.stringContaining('Preference-Applied: wait=2\r\n'),
      body: expect.any(Array),
    },
  ])
  expect(performance.now() - startedAt).toBeGreaterThan(2000)
})

test('each of the five operations answers', async () => {
  const answers = await paste(shown.operations, await start('npm start'))

  expect(answers).toEqual([
    {
      status: 200,
      head: '',
      body: expect.arrayContaining([expect.objectContaining({ petId: 1 })]),
    },
    { status: 200, head: '', body: { petId: 1, quantity: 5, status: 'available' } },
    {
      status: 200,
      head: expect.stringMatching(/\r\nDeprecation: @\d+\r\n/),
      body: expect.objectContaining({ petId: 1, name: 'Bella' }),
    },
    {
      status: 200,
      head: '',
      body: expect.arrayContaining([expect.objectContaining({ id: 1001 })]),
    },
    {
      status: 200,
      head: '',
      body: expect.objectContaining({ message: 'hello', status: 'queued' }),
    },
  ])
})

test('a world is steered with its key', async () => {
  const answers = await paste(shown.steering, await start('npm start'))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200])
  const [overview, quota, clock, faults, scenario, requests, snapshot] = answers
  expect(overview?.body).toMatchObject({ scenario: 'default', world: { label: 'readme' } })
  expect(quota?.body).toMatchObject({ minute: { limit: 60, remaining: 1 } })
  expect(clock?.body).toMatchObject({ frozen: true, now: expect.any(String) })
  expect(faults?.body).toEqual([{ type: 'status', status: 503, times: 2 }])
  expect(scenario?.body).toMatchObject({ scenario: 'low-stock' })
  expect(requests?.body).toEqual([])
  expect(snapshot?.body).toMatchObject({ description: expect.stringContaining('low-stock') })
})

test('a scenario file of your own is checked and served', async () => {
  const [check = '', serve = '', ...further] = shown.scenarioFile.split('\n')
  expect(further).toEqual([])

  expect(await run(check)).toContain('examples/scenarios/three-pets.json')
  expect(await readPetIds(await start(serve))).toEqual(['1', '2', '9223372036854775807'])
})

test('the storefront opens as a page that mocks the service', async () => {
  const url = await start(shown.storefront)

  const page = await (await fetch(url)).text()
  const [, script] = /<script type="module" src="(\/src\/[^"]+)"/.exec(page) ?? []
  expect((await fetch(new URL(`${script}`, url))).status).toBe(200)
  const worker = await fetch(new URL('/mockServiceWorker.js', url))
  expect(worker.headers.get('Content-Type')).toContain('javascript')
})

/** What the commands that the text names print. */
const printed: Readonly<Record<string, RegExp>> = {
  'npm start -- help serve':
    /default:\s+"4010"[\s\S]*--max-worlds <number> [^(]*\(env: PETSTORE_SANDBOX_MAX_WORLDS\)/,
  'npm start -- help': /^ {2}check [\s\S]*^ {2}openapi /m,
  'npm start -- key': /^sbx_free_default_[\w-]{16,}$/m,
  'npm start -- scenarios': /^large-catalogue\b.*5,?000/m,
  'npm start -- world --help': /--key <key>/,
}

test.each(Object.entries(printed))('%s prints what the text says', async (command, expected) => {
  expect(await run(command)).toMatch(expected)
})

test('every other command in the text is one of these or a script', () => {
  const named = [...readme.matchAll(/`(npm (?:start -- |run |test)[^`]*)`/g)].map(
    ([, one = '']) => one,
  )
  const known = [...Object.keys(printed), ...scripts.map((name) => `npm run ${name}`), 'npm test']
  expect(named.filter((command) => !known.includes(command))).toEqual([])
  expect(Object.keys(printed).filter((command) => !named.includes(command))).toEqual([])
})

test('the text names every built-in scenario', async () => {
  const [, sentence = ''] = /lists the built-in ones: (.*)\.$/m.exec(readme) ?? []
  const named = [...sentence.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)

  const output = await run('npm start --silent -- scenarios --json')

  const known: { readonly name: string }[] = JSON.parse(output)
  expect(named.toSorted()).toEqual(known.map(({ name }) => name).toSorted())
})

test('every other block is exempt for a reason', () => {
  const known = [...Object.values(shown), ...Object.keys(exempt)]
  expect(blocks.filter((block) => !known.includes(block))).toEqual([])
  expect(known.filter((block) => !blocks.includes(block))).toEqual([])
})

/** The one block of the README with the text in it. */
function findBlock(text: string): string {
  const [block, ...others] = blocks.filter((one) => one.includes(text))
  if (block !== undefined && others.length === 0) return block
  const found = block === undefined ? 0 : others.length + 1
  throw new Error(`README.md must have one sh block with ${text} in it, found ${found}`)
}

function list(url: string): Promise<Response> {
  return fetch(`${url}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
}

/** As text: an int64 does not survive `JSON.parse`. */
async function readPetIds(url: string): Promise<string[]> {
  const text = await (await list(url)).text()
  return [...text.matchAll(/"petId":(\d+)/g)].map(([, petId = '']) => petId)
}
