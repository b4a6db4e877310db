import { describe, expect, test } from 'vitest'
import { correctUrls, type WrongService } from '../../scripts/fidelity/wrong/service.js'
import { wrongServices } from '../../scripts/fidelity/wrong-services.js'
import { createSandbox } from '../../src/index.js'
import { serve } from '../support/server.js'
import { startMs } from '../support/suite.js'
import { toSend } from '../verify/support.js'
import { type Outcome, run, startCommand, until } from './support.js'
import { serveWorld } from './world-support.js'

const secret = 'sbx_pro_default_very-secret-label'

/** Runs `verify` against a base URL, with the key in a variable. */
function verify(root: string, ...args: readonly string[]): Promise<Outcome> {
  return run(['verify', '--url', `${root}/v1`, ...args], { PETSTORE_API_KEY: secret })
}

describe('verify', () => {
  test('only reads without --allow-writes; --strict exits with 2 because checks were skipped', async () => {
    const { url, sandbox } = await serveWorld()
    const { code, stdout, stderr } = await verify(url, '--strict')
    expect(code).toBe(2)
    expect(stdout).toContain(' 0 deviate, ')
    expect(stderr).toMatch(
      /^petstore-sandbox: --strict allows no skipped checks: 34 skipped \(14 needs --allow-writes; /,
    )
    const entries = (await sandbox.worldFor(secret)).requests.find()
    expect([...new Set(entries.map(({ method }) => method))]).toEqual(['GET'])
  })

  test('says what is left changed, and how to undo it', async () => {
    const wrong: WrongService = {
      does: 'ignores the previous quantity',
      check: 'update-inventory.quantity',
      start: () => {
        let isChanged = false
        return (request, next) => {
          isChanged ||= request.body === '{"quantity":5}'
          const isIgnored = isChanged && request.body === '{"quantity":4}'
          return next(isIgnored ? { ...request, body: '{"quantity":5}' } : request)
        }
      },
    }
    const url = await serveWrong(wrong)
    const { code, stderr } = await verify(url, '--key', 'sbx_pro', '--allow-writes')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /\nleft changed: pet 1: quantity is 5, was 4; this may undo it: curl .+\npetstore-sandbox: \d of \d+ checks deviates?\n$/,
    )
  })

  test('shows a request that succeeded only when it was repeated', async () => {
    let isFailed = false
    const url = await serveWrong({
      does: 'fails once',
      check: 'list-orders.path',
      start: () => async (request, next) => {
        const response = await next(request)
        if (isFailed || !request.url.endsWith('/store/orders')) return response
        isFailed = true
        return { ...response, status: 502, text: '<h1>Bad gateway</h1>' }
      },
    })
    const { code, stdout } = await verify(url)
    expect(code).toBe(0)
    expect(stdout).toContain(
      '\n  unreliable: GET /store/orders responded with 502, and repeated with 200\n',
    )
  })

  test('restores what it changed on SIGINT, and exits with 2', async () => {
    const { url, sandbox } = await serveWorld()
    const world = await sandbox.worldFor(secret)
    // The response to the change is lost in a delay that the signal ends.
    const delay = { type: 'delay', delayMs: 60_000, phase: 'after' } as const
    world.faults.add({ ...delay, operation: 'updateInventory', skip: 5, atMost: 1 })
    const args = ['verify', '--url', `${url}/v1`, '--allow-writes']
    const { signal, read, ended } = startCommand(args, { PETSTORE_API_KEY: secret })
    await until(() => world.db.pets.find('1')?.quantity === 11)
    signal('SIGINT')
    expect(await ended).toBe(2)
    expect(read().stderr).toContain('petstore-sandbox: stopped early: interrupted\n')
    expect(world.db.pets.find('1')?.quantity).toBe(4)
  })

  test('ends a wait on SIGINT', async () => {
    const { url } = await serveWorld()
    const args = ['verify', '--url', `${url}/v1`, '--exhaust']
    const { signal, read, ended } = startCommand(args, { PETSTORE_API_KEY: secret })
    await until(() =>
      read().stderr.includes('429 with Retry-After: 60; waits 60 s, then continues'),
    )
    signal('SIGINT')
    expect(await ended).toBe(2)
  })

  test('sends nothing if the report cannot be written', async () => {
    const { url, sandbox } = await serveWorld()
    const outcome = await verify(url, '--output', '/no/such/verify.xml')
    expectOneLine(outcome, /cannot write --output \/no\/such\/verify\.xml: /)
    expect((await sandbox.worldFor(secret)).requests.count()).toBe(0)
  })

  test('its curl commands show the deviation when they are executed', async () => {
    const url = await serveWrong(findWrong('returns 400 for an unknown pet'))
    const { stdout } = await verify(url, '--key', 'sbx_pro', '--allow-writes')
    const [command = ''] = /curl .*/.exec(stdout) ?? []
    const { promisify } = await import('node:util')
    const { execFile } = await import('node:child_process')
    const env = { ...process.env, KEY: 'sbx_pro' }
    const output = await promisify(execFile)('sh', ['-c', `${command} --silent`], { env })
    expect(output.stdout).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('shows the key in no output, also if the service repeats it', async () => {
    const wrong: WrongService = {
      does: 'repeats the key',
      check: 'pet-status.values',
      start: () => async (request, next) => {
        const response = await next(request)
        const { Authorization = '' } = request.headers
        return { ...response, text: response.text.replaceAll('"available"', `"${Authorization}"`) }
      },
    }
    const url = await serveWrong(wrong)
    for (const format of ['text', 'json', 'junit']) {
      const { code, stdout, stderr } = await verify(url, '--format', format, '--allow-writes')
      expect(code).toBe(1)
      expect(stdout).toContain('Bearer sbx_pro_defa…')
      expect(stdout + stderr).not.toContain('secret')
    }
  })
})

test.each([
  [
    'a key that is not accepted',
    ['--key', 'sbx_revoked'],
    /status 401 with .+; the service rejects the key, set another one with --key or /,
  ],
  [
    'a used-up limit',
    ['--key', 'sbx_free_rate-limited'],
    /received 429 with Retry-After: 60; no further requests are sent, run the command again in 60 s$/,
  ],
  ['a staging key with a space', ['--staging-key', 'a b'], /--staging-key must be an API key/],
  [
    'a pet that the inventory does not have',
    ['--pet', '404'],
    /: --pet must be a petId of the inventory, found 404$/,
  ],
])('verify exits with 2 and one line for %s', async (_, args, reason) => {
  const { url } = await serveWorld()
  expectOneLine(await verify(url, ...args), reason)
})

/** The stderr may have notes before the line. */
function expectOneLine({ code, stdout, stderr }: Outcome, reason: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('note: '))
  expect(lines).toEqual([expect.stringMatching(/^petstore-sandbox: /)])
  expect(lines[0]).toMatch(reason)
  expect(lines[0]).not.toMatch(/[\p{Cc}]|secret|a bug in the sandbox/u)
}

function findWrong(does: string): WrongService {
  const found = wrongServices.find((service) => service.does === does)
  if (!found) throw new Error(`no wrong service ${does}`)
  return found
}

/** Serves a wrong service until the test ends. Returns its root URL. */
async function serveWrong({ start }: WrongService): Promise<string> {
  const sandbox = await createSandbox({ now: () => startMs })
  const [send, respond] = [toSend(sandbox), start()]
  const roots = { '/staging/v1': 'staging', '/v1': 'api', '/quickstart': 'quickstart' } as const
  return serve(async (request, response) => {
    const { method = 'GET', url = '' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const [root, address] = Object.entries(roots).find(([path]) => url.startsWith(`${path}/`)) ?? []
    if (root === undefined || address === undefined) return response.writeHead(404).end('{}')
    const { authorization, 'content-type': type } = request.headers
    const received = await respond(
      {
        method,
        url: correctUrls[address] + url.slice(root.length),
        headers: {
          ...(authorization !== undefined && { Authorization: authorization }),
          ...(type !== undefined && { 'Content-Type': type }),
        },
        body: chunks.length === 0 ? undefined : Buffer.concat(chunks).toString(),
      },
      (sent) => send(sent, undefined),
    )
    const headers = [...received.headers].filter(([name]) => name !== 'content-length')
    return response.writeHead(received.status, Object.fromEntries(headers)).end(received.text)
  })
}
