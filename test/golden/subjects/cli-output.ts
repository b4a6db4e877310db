import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDirectory } from '../../cli/support.js'
import { serveWorld } from '../../cli/world-support.js'
import { runCommand, runCommands } from '../commands.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

const secret = 'a secret of the operator'

export const cliOutput: Subject = {
  name: 'cli-output',
  async produce() {
    return {
      withoutServer: await runWithoutServer(),
      verify: await runVerify(),
      pull: await runPull(),
    }
  },
}

async function runWithoutServer() {
  const directory = await createDirectory({
    'base.json': { name: 'base', description: 'The base.', extends: 'default' },
    'shop.json': { name: 'shop', extends: ['base', 'low-stock'] },
    'wrong.json': { name: 'wrong', seed: 'x', pets: [{ petId: 1 }] },
  })
  const valid = await createDirectory({ 'shop.json': { name: 'shop', description: 'A shop.' } })
  const shop = join(directory, 'shop.json')
  return runCommands([
    [['--version']],
    [['-v']],
    [['help']],
    [['help', 'key']],
    [['scenarios']],
    [['scenarios', '--json']],
    [['scenarios', '--scenarios', valid]],
    [['scenarios', '--scenarios', valid, '--json']],
    [['scenarios'], { FORCE_COLOR: '1', PETSTORE_SANDBOX_SCENARIOS: valid }],
    [['check', shop]],
    [['check', shop, join(directory, 'base.json')]],
    [['check', directory]],
    [['check', 'scenarios']],
    [['check', shop, '--scenarios', valid]],
    [['key']],
    [['key', '--plan', 'pro', '--scenario', 'low-stock']],
    [['key', '--label', 'acme']],
    [['key', '--label', 'acme', '--plan', 'pro', '--key-secret', secret]],
    [['key', '--label', 'acme'], { PETSTORE_SANDBOX_KEY_SECRET: `another ${secret},${secret}` }],
    [['openapi', '--output', join(directory, 'openapi.json')]],
  ])
}

async function runVerify() {
  const env = { PETSTORE_API_KEY: 'sbx_free_default_verify' }
  const right = await serveWorld()
  const wrong = await serveWorld({ scenario: wrongScenario })
  const file = join(await createDirectory({}), 'verify.xml')
  const everything = [
    ...['--staging-url', `${right.url}/staging/v1`, '--quickstart-url', `${right.url}/quickstart`],
    ...['--plan', 'free', '--allow-writes', '--pet', '7', '--exhaust', '--max-wait', '0'],
  ]
  const rows: readonly string[][] = [
    ['--url', `${right.url}/v1`],
    ['--url', `${right.url}/v1`, ...everything],
    ['--url', `${right.url}/v1`, '--format', 'json', '--key', 'sbx_pro'],
    ['--url', `${right.url}/v1`, '--format', 'junit', '--output', file, '--key', 'sbx_pro'],
    ['--url', `${wrong.url}/v1`, '--key', 'sbx_pro'],
    ['--url', `${wrong.url}/v1`, '--format', 'json', '--key', 'sbx_pro'],
    ['--url', `${wrong.url}/v1`, '--format', 'junit', '--key', 'sbx_pro'],
    ['--url', `${right.url}/nothing/v1`],
  ]
  return runCommands(rows.map((args) => [['verify', ...args], env]))
}

/** A service that violates the specification: faults change its responses. */
const wrongScenario = {
  name: 'wrong',
  extends: 'default',
  faults: [
    { type: 'status' as const, operation: 'listOrders' as const, status: 404 },
    { type: 'status' as const, operation: 'getPet' as const, status: 500, code: 'oops' },
  ],
}

async function runPull() {
  const { url, sandbox } = await serveWorld({ scenario: pulledScenario })
  const env = { PETSTORE_API_KEY: 'sbx_enterprise' }
  const directory = await createDirectory({ 'recorded.har': await record(url) })
  const har = join(directory, 'recorded.har')
  const output = join(directory, 'shop.json')
  const args = ['pull', '--url', `${url}/v1`, '--output', output]
  const fromHar = ['pull', '--har', har, '--output', join(directory, 'from-har.json')]
  const pulled = await runCommand(args, env)
  return {
    outputs: [
      pulled,
      await runCommand(args, env),
      await runCommand([...args, '--force', '--name', 'renamed'], env),
      await runCommand(fromHar),
      await runCommand([...fromHar, '--force', '--url', `${url}/v1`]),
    ],
    requests: sandbox.world.requests.find().map(({ method, path }) => `${method} ${path}`),
    file: toReadable(await readFile(output, 'utf8')),
    fileFromHar: toReadable(await readFile(join(directory, 'from-har.json'), 'utf8')),
  }
}

const pulledScenario = {
  name: 'pulled-shop',
  pets: [
    { petId: '9223372036854775807', name: 'Zoë', quantity: 3, chip: { id: '0a' } },
    { petId: 2, name: 'Milo', status: 'sold' as const, quantity: 0 },
  ],
  orders: [{ id: 1, petId: 2, gift: true }],
}

/** Returns a HAR file with what a client of the service received. */
async function record(url: string): Promise<object> {
  const paths = ['/inventory', '/pets/2', '/nothing', '/store/orders']
  const headers = { Authorization: 'Bearer sbx_pro' }
  const entries: object[] = []
  for (const path of paths) {
    const response = await fetch(`${url}/v1${path}`, { headers })
    entries.push({
      startedDateTime: '2026-01-15T09:00:00.000Z',
      request: { method: 'GET', url: `${url}/v1${path}`, headers: [] },
      response: {
        status: response.status,
        headers: [...response.headers].map(([name, value]) => ({ name, value })),
        content: { text: await response.text() },
      },
    })
  }
  return { log: { version: '1.2', creator: {}, entries } }
}
