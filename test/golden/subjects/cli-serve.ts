import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDirectory, runServe, until } from '../../cli/support.js'
import { toOutput } from '../commands.js'
import { toClient } from '../exchange.js'
import type { Subject } from '../subject.js'

const secret = 'a secret of the operator'
const token = 'token-of-the-operator'

/** A world whose time differs from the time of the machine. */
const frozen = {
  name: 'frozen',
  extends: 'default',
  clock: { now: '2026-01-15T09:00:00Z', frozen: true },
}

const handlers = `
import { http, HttpResponse } from ${JSON.stringify(import.meta.resolve('msw'))}
export default [
  http.get('*/v1/extra', () => HttpResponse.json({ extra: true })),
  http.get('*/v1/broken', () => { throw new Error('thrown by the handler') }),
]
`

export const cliServe: Subject = {
  name: 'cli-serve',
  async produce() {
    const directory = await createDirectory({ 'frozen.json': frozen, 'handlers.mjs': handlers })
    const file = join(directory, 'frozen.json')
    const data = join(directory, 'worlds')
    return {
      startUps: await startEach([
        [[]],
        [['--log', 'json']],
        [['--log', 'silent']],
        [['--scenario', 'low-stock,sunset-soon']],
        [['--scenarios', directory, '--scenario', 'frozen', '--watch']],
        [['--scenario', file]],
        [['--data', data]],
        [['--data', data, '--data-sync', '--keep', '12h', '--log', 'json']],
        [['--key-secret', secret]],
        [['--key-secret', secret, '--key-issuing', 'off']],
        [['--key-secret', secret, '--key-issuing', token, '--control', 'off', '--log', 'json']],
        [['--public-url', 'https://sandbox.example/petstore']],
        [['--public-url', 'https://sandbox.example/petstore/', '--log', 'json']],
        [['--host', 'localhost']],
        [['--host', '0.0.0.0']],
        [['--host', '0.0.0.0', '--key-secret', secret]],
        [['--trust-proxy', '1', '--max-memory', '64MiB', '--retain', '5m', '--max-worlds', '9']],
        [[], { FORCE_COLOR: '1' }],
        [[], { PETSTORE_SANDBOX_SCENARIO: 'flaky', PETSTORE_SANDBOX_LOG: 'json' }],
      ]),
      logs: [
        await logRequests(file, ['--log', 'pretty']),
        await logRequests(file, ['--log', 'json']),
        await logRequests(file, ['--log', 'silent']),
        await logRequests(file, ['--log-clients']),
        await logRequests(file, ['--log-clients', '--log', 'json']),
        await logRequests(file, [], { FORCE_COLOR: '1' }),
        await logHandled(['--scenario', file, '--handlers', join(directory, 'handlers.mjs')]),
      ],
      watch: await reload(directory),
    }
  },
}

type Row = readonly [options: readonly string[], env?: Readonly<Record<string, string>>]

async function startEach(rows: readonly Row[]) {
  const outputs: unknown[] = []
  for (const [options, env] of rows) {
    const args = ['serve', ...options]
    outputs.push(toOutput(args, await runServe(options, env), env))
  }
  return outputs
}

/** Logs one request of each kind. */
async function logRequests(file: string, options: readonly string[], env = {}) {
  const args = ['--scenario', file, ...options]
  const key = 'sbx_free'
  const outcome = await runServe(args, env, async (url) => {
    await toClient(url).exchange([
      ['GET /v1/inventory?page=2', { key }],
      ['PATCH /v1/inventory/1', { key, json: { quantity: -5 } }],
      ['GET /staging/v1/pets/404', { key }],
      ['POST /quickstart/messages', { key, json: { message: 'Hello' } }],
      ['GET /v1/inventry', { key }],
      ['GET /v1/inventory'],
      ['GET /v1/inventory', { key: 'sbx_pro_default_a-label' }],
      ['POST /sandbox/faults', { key, json: { type: 'reset', atMost: 1 } }],
      ['GET /v1/inventory', { key }],
      ['PATCH /sandbox/quota', { key, json: { minute: { remaining: 0 } } }],
      ['GET /v1/inventory', { key }],
      ['GET /v1/%1B%5B2J', { key }],
      ['GET /healthz'],
    ])
  })
  return toOutput(['serve', ...args], outcome, env)
}

async function logHandled(args: readonly string[]) {
  const outcome = await runServe(args, {}, async (url) => {
    await toClient(url).exchange([['GET /v1/extra', { key: 'sbx_free' }], ['GET /v1/extra']])
  })
  return toOutput(['serve', ...args], outcome)
}

/** Changes a scenario file twice while the server watches it. */
async function reload(directory: string) {
  const file = join(directory, 'frozen.json')
  const args = ['--scenario', file, '--watch']
  const outcome = await runServe(args, {}, async (_, read) => {
    const hasLines = (name: 'stdout' | 'stderr', count: number) =>
      until(() => read()[name].split('\n').length > count)
    const lines = read().stdout.split('\n').length
    await replaceFile(file, { ...frozen, description: 'Changed.' })
    await hasLines('stdout', lines)
    await replaceFile(file, { ...frozen, seed: 'x' })
    await hasLines('stderr', 1)
  })
  return toOutput(['serve', ...args], outcome)
}

/** Replaces a file at once: the server must not read a part of it. */
async function replaceFile(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(content))
  await rename(`${file}.new`, file)
}
