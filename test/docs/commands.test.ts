import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory } from '../cli/support.js'
import { readPages } from './pages.js'
import { paste, readShellBlocks, run, start } from './shell.js'

const root = new URL('../../', import.meta.url)
const pages = await readPages(root)
const readme = pages.get('README.md') ?? ''
const text = [...pages.values()].join('\n')
// support.test.ts runs the blocks of its page.
const others = readShellBlocks(pages.get('docs/support.md') ?? '')
const blocks = [...new Set(readShellBlocks(text))].filter((block) => !others.includes(block))
const manifest: { scripts: Record<string, string> } = JSON.parse(
  await readFile(new URL('package.json', root), 'utf8'),
)
const scripts = Object.keys(manifest.scripts)

/** Blocks that no test in this file runs, and the reason. */
const exempt: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    readShellBlocks(pages.get('docs/agents.md') ?? '').map((block) => [
      block,
      'test/docs/agents.test.ts runs it',
    ]),
  ),
  'npm ci && npm test': 'runs this test',
  [[
    'npm ci',
    'npm test          # all tests that need no browser',
    'npm run check     # formatter, linter, types, unused code, package and OpenAPI documents',
  ].join('\n')]: 'runs this test',
  'npm run golden -- --accept service-limits control-journal   # writes what the sandbox does now':
    'writes the files that test/golden compares',
  'npm install --save-dev ../petstore-sandbox/petstore-sandbox-1.0.0.tgz msw@2':
    'test/package runs it in a separate project',
  'npm run mutants:core -- src/world/quota src/engine/keys.ts': 'takes minutes',
  [['npm ci', 'npm run build', 'node deploy/add-optional-packages.js', 'npm ci --omit=dev'].join(
    '\n',
  )]: 'test/deploy runs the same commands of the Dockerfile',
  [[
    'cp deploy/petstore-sandbox.service /etc/systemd/system/',
    'systemctl daemon-reload',
    'systemctl enable --now petstore-sandbox',
  ].join('\n')]: 'needs systemd; test/deploy verifies the unit',
  [[
    'docker build --file deploy/Dockerfile --tag petstore-sandbox .',
    'docker run --publish 127.0.0.1:4010:4010 --volume petstore:/home/node/data --env PETSTORE_SANDBOX_DATA=/home/node/data petstore-sandbox',
  ].join('\n')]: 'needs Docker; test/deploy executes the Dockerfile',
  'npx petstore-sandbox world snapshot --url http://127.0.0.1:4010 --key sbx_free_default_shop --output shop.json':
    'test/cli saves a snapshot',
  'npx petstore-sandbox world use shop.json --key sbx_free_default_shop':
    'test/cli starts a world from the file of a snapshot',
  [[
    'redis-server --dir /var/lib/redis --appendonly no',
    'redis-cli config set appendonly yes',
  ].join('\n')]: 'changes the data of the machine',
  'KEY_SECRET="$(openssl rand -hex 32)" docker compose --file deploy/compose.yaml up --build':
    'needs Docker; test/deploy checks the file',
  'docker compose --file deploy/compose.yaml up --detach --no-deps --force-recreate sandbox-1':
    'needs Docker; test/deploy restarts replicas',
  [[
    'export PETSTORE_SANDBOX_KEY=sbx_free_default_report',
    'curl -H "Authorization: Bearer $PETSTORE_SANDBOX_KEY" http://127.0.0.1:4010/v1/inventory',
    'npx petstore-sandbox world report',
  ].join('\n')]: 'test/docs/report.test.ts runs it',
  [[
    'npx petstore-sandbox world report --format html --output report.html',
    'npx petstore-sandbox world report --format junit --output report.xml --fail-on error --min-coverage 80',
  ].join('\n')]: 'test/docs/report.test.ts runs it',
  [[
    `(umask 077; node -p 'crypto.randomBytes(32).toString("hex")' > key-secret)`,
    'kubectl create secret generic petstore-sandbox-key-secret --from-file=key-secret',
    'kubectl apply --filename deploy/kubernetes.yaml',
    'kubectl port-forward service/petstore-sandbox 4010:80',
  ].join('\n')]: 'needs a cluster; test/deploy validates the file',
  [[
    'kubectl create secret generic petstore-sandbox-key-secret --from-file=key-secret --dry-run=client --output yaml | kubectl apply --filename -',
    'kubectl rollout restart deployment/petstore-sandbox',
    'kubectl rollout status deployment/petstore-sandbox',
  ].join('\n')]: 'needs a cluster',
  'npx msw init public --save': 'test/package runs it in a separate project',
  'npx petstore-sandbox': 'test/package runs it in a separate project',
  'npx petstore-sandbox serve --port 4010': 'test/package runs npx in a separate project',
}

/** The blocks that the tests below run. Each is found by a string that no other block contains. */
const shown = {
  start: findBlock('npm ci && npm start'),
  otherPort: findBlock('--port 4011'),
  firstRequest: findBlock("-i -H 'Authorization: Bearer sbx_free' http"),
  preference: findBlock('Prefer: code=429'),
  operations: findBlock('/quickstart/messages'),
  scenarioFile: findBlock('check my-scenarios/three-pets.json'),
  pull: findBlock('pull --url'),
  pullHar: findBlock('pull --har'),
  overview: findBlock("-H 'Authorization: Bearer sbx_free' http://127.0.0.1:4010/sandbox"),
  createKey: findBlock('/sandbox/keys'),
  control: findBlock('$SANDBOX/clock'),
  faults: findBlock('_faults'),
  proxy: findBlock('_proxy'),
  publicSandbox: findBlock('--key-secret "$KEY_SECRET"'),
  handOut: findBlock('--expires 90d'),
  storefront: findBlock('example:storefront'),
  verify: findBlock('PETSTORE_API_KEY=sbx_free'),
  verifyWrongPlan: findBlock('--key sbx_free --plan pro'),
  verifyInCi: findBlock('verify.xml'),
  assess: findBlock('world report --key'),
}

test('npm ci && npm start serves the default scenario', async () => {
  expect(shown.start).toBe('npm ci && npm start')

  const url = await start('npm start')

  expect(await readPetIds(url)).toHaveLength(12)
  expect((await fetch(url)).headers.get('Content-Type')).toContain('text/html')
})

test('the server accepts another port and another scenario', async () => {
  expect(shown.otherPort).toBe('npx petstore-sandbox --port 4011 --scenario nearly-limited')

  const url = await start(shown.otherPort.replace('4011', '0'))

  const { status, headers } = await list(url)
  expect([status, headers.get('X-RateLimit-Remaining')]).toEqual([200, '0'])
  expect((await list(url)).status).toBe(429)
})

/** The response to a request that succeeds, without the option `-i`. */
const ok = { status: 200, head: '' }

test.each<[title: string, block: string, responses: readonly object[]]>([
  [
    'the first request lists the inventory',
    shown.firstRequest,
    [
      {
        status: 200,
        head: expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nX-RateLimit-Limit: 60\r\n/),
        body: expect.arrayContaining([{ petId: 1, quantity: 4, status: 'available' }]),
      },
    ],
  ],
  [
    'a Prefer header requests an error or a delay',
    shown.preference,
    [
      {
        status: 429,
        head: expect.stringMatching(/\r\nRetry-After: \d+\r\n/),
        body: { code: 'rate_limit_exceeded' },
      },
      { status: 200, head: expect.stringContaining('Preference-Applied: delay=2\r\n') },
    ],
  ],
  [
    'each of the five operations responds with 200',
    shown.operations,
    [
      { ...ok, body: expect.arrayContaining([expect.objectContaining({ petId: 1 })]) },
      { ...ok, body: { petId: 1, quantity: 5, status: 'available' } },
      {
        status: 200,
        head: expect.stringMatching(/\r\nDeprecation: @\d+\r\n/),
        body: { petId: 1, name: 'Bella' },
      },
      { ...ok, body: expect.arrayContaining([expect.objectContaining({ id: 1001 })]) },
      { ...ok, body: { message: 'hello', status: 'queued' } },
    ],
  ],
  [
    'the overview names the world of the key',
    shown.overview,
    [{ ...ok, body: { scenario: 'default' } }],
  ],
  [
    'a request to the control API creates a key',
    shown.createKey,
    [{ status: 201, body: { apiKey: expect.stringMatching(/^sbx_pro_low-stock_\w{16,}$/) } }],
  ],
  [
    'the control API changes the world of the key',
    shown.control,
    [
      {
        ...ok,
        body: { scenario: 'default', world: { label: 'readme' }, links: { clock: '/clock' } },
      },
      { ...ok, body: { frozen: true, now: expect.any(String) } },
      { ...ok, body: { minute: { limit: 60, remaining: 1 } } },
      { ...ok, body: [{ type: 'status', status: 503, atMost: 1 }] },
      { status: 503 },
      { status: 429 },
      { ...ok, body: [{ response: { status: 429 } }, { response: { status: 503 } }] },
      { ...ok, body: { scenario: 'low-stock' } },
      { ...ok, body: { description: expect.stringContaining('low-stock') } },
    ],
  ],
  [
    'a sequence of faults is added over HTTP, and used step by step',
    shown.faults,
    [
      { status: 201 },
      { status: 503 },
      { ...ok, body: [{ sequence: ['pass', { type: 'delay', delayMs: 200 }], triggered: 1 }] },
      { status: 200 },
      { status: 200 },
      { ...ok, body: [] },
    ],
  ],
  [
    'a fault with the page of a proxy is added over HTTP',
    shown.proxy,
    [
      { status: 201 },
      {
        status: 502,
        head: expect.stringContaining('Via: 1.1 edge\r\nVia: 1.1 cache'),
        body: '<h1>502 Bad Gateway</h1>',
      },
    ],
  ],
])('%s', async (_, block, responses) => {
  expect(await paste(block, await start('npm start'))).toMatchObject(responses)
})

test('a public sandbox accepts the keys that its operator issues', async () => {
  const withSecret = shown.publicSandbox.replaceAll('"$KEY_SECRET"', 'secret-of-the-operator')
  const [serve = '', key = '', ...others] = withSecret.split('\n')
  expect(others).toEqual([])

  const url = await start(serve)
  const [issued = ''] = (await run(key)).match(/sbx_\S+/) ?? []

  const statusOf = async (apiKey: string, method = 'GET', path = '/v1/inventory') => {
    const headers = { Authorization: `Bearer ${apiKey}` }
    return (await fetch(`${url}${path}`, { method, headers })).status
  }
  expect(issued).toMatch(/^sbx_pro_default_acme-[0-9a-f]{32}$/)
  expect(await statusOf(issued)).toBe(200)
  expect(await statusOf(issued, 'POST', '/sandbox/reset')).toBe(200)
  expect(await statusOf('sbx_pro_default_acme')).toBe(401)
  expect(await statusOf('sbx_free', 'POST', '/sandbox/reset')).toBe(403)
  expect(await statusOf(issued, 'POST', '/sandbox/keys')).toBe(403)
})

test('a sandbox with a secret in a file accepts the keys that its operator hands out', async () => {
  const directory = await createDirectory({})
  const lines = shown.handOut.replaceAll(/ key-secret\b/g, ` ${directory}/key-secret`).split('\n')
  const [create = '', serve = '', key = '', ...others] = lines
  expect(others).toEqual([])

  await run(create)
  const url = await start(serve)
  const printed = await run(key)

  const issued = /^sbx_pro_default_acme\.(\d+)-[0-9a-f]{32}$/m.exec(printed)
  const days = (Number(issued?.[1]) * 1_000 - Date.now()) / 86_400_000
  expect(days).toBeCloseTo(90, 1)
  expect(printed).toContain(`\nhttps://sandbox.example/#key=${issued?.[0]}\n`)
  const headers = { Authorization: `Bearer ${issued?.[0]}` }
  expect((await fetch(`${url}/v1/inventory`, { headers })).status).toBe(200)
})

test('a custom scenario file is checked and served', async () => {
  const [check = '', serve = '', ...others] = shown.scenarioFile
    .replaceAll('my-scenarios', 'examples/scenarios')
    .split('\n')
  expect(others).toEqual([])

  expect(await run(check)).toContain('examples/scenarios/three-pets.json')
  expect(await readPetIds(await start(serve))).toEqual(['1', '2', '9223372036854775807'])
})

test('verify prints what docs/verify.md shows', async () => {
  const url = await start('npm start')
  const [agreement = '', deviation = ''] = readOutputs(pages.get('docs/verify.md') ?? '')
  const atServer = (text: string) => text.replaceAll('http://127.0.0.1:4010', url)

  expect(await run(atServer(shown.verify))).toBe(atServer(agreement))
  // A deviation is exit code 1.
  const found = await run(`${atServer(shown.verifyWrongPlan)} || [ $? = 1 ]`)
  expect(found).toContain(atServer(deviation))
})

test('the report of a client is printed, and a deployment is verified', async () => {
  const url = await start('npm start')
  const [report = '', verify = ''] = shown.assess.split('\n')
  await list(url)

  expect(await run(`${report} --url ${url}`)).toContain('1 request')
  expect(await run(verify.replace('http://127.0.0.1:4010', url))).toContain(' 0 deviate')
})

test('verify writes JUnit XML', async () => {
  const directory = await createDirectory({})
  const file = join(directory, 'verify.xml')
  const command = shown.verifyInCi.replace('verify.xml', file)
  await run(command.replace('http://127.0.0.1:4010', await start('npm start')))
  const xml = await readFile(file, 'utf8')
  expect(xml).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="petstore-sandbox" /,
  )
})

test.each(['verify', 'pull'])('docs/%s.md lists every option of the command', async (command) => {
  const rows = [...(pages.get(`docs/${command}.md`) ?? '').matchAll(/^\| `(--[\w-]+)/gm)]
  const output = await run(`npx petstore-sandbox ${command} --help`)
  const options = [...output.matchAll(/^ {2}(?:-\w, )?(--[\w-]+) /gm)].map(([, name]) => name)
  expect(rows.map(([, name]) => name)).toEqual(options.filter((name) => name !== '--help'))
})

/** Returns the text blocks of a page. */
function readOutputs(page: string): string[] {
  return [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
}

test('a pulled file is checked, and serves the same inventory', async () => {
  const directory = await createDirectory({})
  const url = await start('npm start')
  const [pull = '', check = '', serve = '', ...others] = shown.pull
    .replaceAll('http://127.0.0.1:4010', url)
    .replaceAll('my-shop.json', join(directory, 'my-shop.json'))
    .replace('4012', '0')
    .split('\n')
  expect(others).toEqual([])

  expect(await run(pull)).toContain('every received value is represented\n')
  expect(await run(check)).toContain('my-shop.json: valid\n')
  expect(await (await list(await start(serve))).text()).toBe(await (await list(url)).text())
})

test('a file is pulled from a HAR file', async () => {
  const request = { method: 'GET', url: 'https://api.petstore.example/v1/inventory' }
  const response = { status: 200, headers: [], content: { text: '[]' } }
  const startedDateTime = '2026-01-15T09:00:00Z'
  const log = { entries: [{ startedDateTime, request, response }] }
  const directory = await createDirectory({ 'recorded.har': { log } })

  const command = shown.pullHar.replaceAll(/recorded\.(har|json)/g, `${directory}/recorded.$1`)

  expect(await run(command)).toContain('not known: the orders: no readable response\n')
})

test('the storefront is served as a page with the worker script', async () => {
  const url = await start(shown.storefront)

  const page = await (await fetch(url)).text()
  const [, script] = /<script type="module" src="(\/src\/[^"]+)"/.exec(page) ?? []
  expect((await fetch(new URL(`${script}`, url))).status).toBe(200)
  const worker = await fetch(new URL('/mockServiceWorker.js', url))
  expect(worker.headers.get('Content-Type')).toContain('javascript')
})

/** Expected output of the commands that the pages mention. */
const printed: Readonly<Record<string, RegExp>> = {
  'npx petstore-sandbox help serve':
    /default:\s+"4010"[\s\S]*--max-worlds <number> [^(]*\(env: PETSTORE_SANDBOX_MAX_WORLDS\)/,
  'npx petstore-sandbox help': /^ {2}check [\s\S]*^ {2}openapi /m,
  'npx petstore-sandbox key': /^sbx_free_default_[\w-]{16,}$/m,
  'npx petstore-sandbox openapi --openapi 3.0': /^ {2}"openapi": "3\.0\.\d"/m,
  'npx petstore-sandbox scenarios': /^large-catalogue\b.*5,?000/m,
  'npx petstore-sandbox world --help': /--key <key>/,
  'npx petstore-sandbox world faults add --help': /type=delay: [\s\S]*phase [\s\S]*'sequence=/,
}

test.each(Object.entries(printed))('%s prints the expected output', async (command, expected) => {
  expect(await run(command)).toMatch(expected)
})

test('every command in the text of the pages is tested above or is an npm script', () => {
  const named = [
    ...text.matchAll(/`((?:npm (?:start -- |run |test)|npx petstore-sandbox )[^`]*)`/g),
  ].map(([, command = '']) => command)
  const served = 'npx petstore-sandbox serve' // test/package runs it
  const known = [
    'npx petstore-sandbox mcp',
    ...Object.keys(printed),
    served,
    ...scripts.map((name) => `npm run ${name}`),
    'npm test',
  ]
  expect(named.filter((command) => !known.includes(command))).toEqual([])
  expect(Object.keys(printed).filter((command) => !named.includes(command))).toEqual([])
})

test('README.md names every built-in scenario', async () => {
  const [, sentence = ''] = /^The built-in scenarios are (.*?)\. /m.exec(readme) ?? []
  const named = [...sentence.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)

  const output = await run('npx petstore-sandbox scenarios --json')

  const known: { readonly name: string }[] = JSON.parse(output)
  expect(named.toSorted()).toEqual(known.map(({ name }) => name).toSorted())
})

test('docs/http-server.md and docs/limits.md list every option of serve with its default', async () => {
  const page = `${pages.get('docs/http-server.md')}\n${pages.get('docs/limits.md')}`
  const rows = [...page.matchAll(/^\| `(--[\w-]+)[^`]*` \| (?:`(\w[^`]*)`)?/gm)]
  const listed = rows.map(([, option, value]) => [option, value])

  const output = (await run('npx petstore-sandbox help serve')).replaceAll(/\n {10,}/g, ' ')

  const options = [...output.matchAll(/^ {2}(?:-\w, )?(--[\w-]+) (.*)$/gm)]
    .map(([, option = '', rest = '']) => [option, /default: "([^"]*)"/.exec(rest)?.[1]])
    .filter(([option]) => option !== '--help')
  expect(listed.map(([option]) => option)).toEqual(options.map(([option]) => option))
  for (const [option, value] of options) {
    if (value !== undefined) expect(listed).toContainEqual([option, value])
  }
})

test('every sh block in the pages is run by a test or exempt', () => {
  const known = [...Object.values(shown), ...Object.keys(exempt)]
  expect(blocks.filter((block) => !known.includes(block))).toEqual([])
  expect(known.filter((block) => !blocks.includes(block))).toEqual([])
})

/** Returns the only block that contains a string. */
function findBlock(part: string): string {
  const [block, ...others] = blocks.filter((candidate) => candidate.includes(part))
  if (block !== undefined && others.length === 0) return block
  const found = block === undefined ? 0 : others.length + 1
  throw new Error(`the pages must have one sh block that contains ${part}, found ${found}`)
}

function list(url: string): Promise<Response> {
  return fetch(`${url}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
}

/** Reads the ids as strings, because `JSON.parse` rounds an int64. */
async function readPetIds(url: string): Promise<string[]> {
  const body = await (await list(url)).text()
  return [...body.matchAll(/"petId":(\d+)/g)].map(([, petId = '']) => petId)
}
