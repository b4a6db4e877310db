import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { controlOperations } from '../../src/control/operations.js'
import { serve } from '../support/server.js'
import { createDirectory, type Outcome, run } from './support.js'
import { closedUrl, jsonHeaders, serveWorld } from './world-support.js'

/** Expects a command to have failed with one line on stderr, and returns the line. */
function readFailure({ code, stdout, stderr }: Outcome): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).not.toMatch(/\.[jt]s:\d+|a bug in/)
  return stderr.trimEnd()
}

describe('a sandbox that does not respond', () => {
  test('is named, with the next step', async () => {
    const { world } = await serveWorld()
    expect(readFailure(await world('--url', closedUrl, 'show'))).toBe(
      `petstore-sandbox: no sandbox responds at ${closedUrl} (ECONNREFUSED); start one with petstore-sandbox, or set --url`,
    )
  })

  test.each(['show', 'events'])('%s reports a port that fetch does not allow', async (command) => {
    const url = 'http://127.0.0.1:6000'
    expect(readFailure(await run(['world', command, '--url', url]))).toContain('(bad port)')
  })

  test('is reported after a timeout of 30 s', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    timeout.mockImplementation(() => AbortSignal.abort(new DOMException('late', 'TimeoutError')))
    const { world } = await serveWorld()
    expect(readFailure(await world('show'))).toContain('no response from http://127.0.0.1:')
    expect(timeout).toHaveBeenCalledWith(30_000)
    timeout.mockRestore()
  })

  test('is reported if the response is incomplete', async () => {
    const url = await serve((_, res) => {
      res.writeHead(200, { ...jsonHeaders, 'Content-Length': '100' })
      res.write('{')
      setImmediate(() => res.destroy())
    })
    const line = readFailure(await run(['world', 'clock', '--url', url]))
    expect(line).toMatch(/no sandbox responds at http:\S+ \(\w+\); /)
  })
})

describe('a sandbox that restricts control', () => {
  const token = 'token-of-the-operator'

  test('is controlled with --token or its variable', async () => {
    const { url, world, print } = await serveWorld({ access: { control: token } })
    expect(await print('reset', '--token', token)).toContain('default')
    const env = { PETSTORE_SANDBOX_URL: url, PETSTORE_SANDBOX_TOKEN: token }
    expect((await run(['world', 'reset'], env)).code).toBe(0)
    const line = readFailure(await world('reset'))
    expect(line).toContain(
      'control_denied: this control request must have the Sandbox-Token header',
    )
    expect(line).toContain('set the key of a world of your own with --key, or the token')
  })

  test.each(['', 'two words', 'caf\u00e9'])('the token %j is rejected', async (invalid) => {
    const { world } = await serveWorld()
    const line = readFailure(await world('show', `--token=${invalid}`))
    expect(line).toContain('--token must be printable ASCII characters without spaces')
  })
})

describe('an invalid option', () => {
  test.each([
    'nonsense',
    'ftp://127.0.0.1',
    'http://me:secret@127.0.0.1',
    'http://127.0.0.1?a',
    'http://127.0.0.1#a',
  ])('--url %s is rejected with the name of the option', async (url) => {
    const wanted =
      'must be an http or https URL without a query, user name or password, such as "http://127.0.0.1:4010", found'
    const flag = await run(['world', '--url', url])
    const found = url.includes('@') ? 'one with a user name or a password' : JSON.stringify(url)
    expect(readFailure(flag)).toContain(`--url ${wanted} ${found}`)
    const variable = await run(['world'], { PETSTORE_SANDBOX_URL: url })
    expect(readFailure(variable)).toContain(`PETSTORE_SANDBOX_URL ${wanted}`)
  })

  test.each([
    ['', '""'],
    ['sbx_free default', '"…"'],
    ['sbx_frée', '"…"'],
    ['sbx_free\r\nX: y', '"…"'],
  ])('--key %j is rejected without printing it', async (key, found) => {
    const line = readFailure(await run(['world', '--key', key]))
    expect(line).toBe(
      `petstore-sandbox: --key must be an API key: printable ASCII without spaces, found ${found} (string); see petstore-sandbox world --help`,
    )
  })

  test.each([
    [
      ['--environment', 'test'],
      '--environment must be "production" or "staging", found "test" (string); see petstore-sandbox world --help',
    ],
    [['nonsense'], '"nonsense" is not a command of petstore-sandbox world; known: show, '],
    [['clok'], 'did you mean "clock"?'],
    [
      ['clock', 'nonsense'],
      '"nonsense" is not a command of petstore-sandbox world clock; known: show',
    ],
    [['nonsense', '--help'], '"nonsense" is not a command of petstore-sandbox world; known'],
    [
      ['clock', 'nonsense', '--help'],
      '"nonsense" is not a command of petstore-sandbox world clock',
    ],
    [['help', 'nonsense'], '"nonsense" is not a command of petstore-sandbox world; known'],
    [['pets', 'remov', '7'], 'did you mean "remove"?'],
    [['clock', 'advance'], "argument 'duration'; see petstore-sandbox world clock advance --help"],
    [['clock', 'set', 'a', 'b'], 'too many arguments'],
    [['use'], "missing required argument 'scenario'; see petstore-sandbox world use --help"],
    [['show', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
    [['quota', 'set'], 'quota set requires at least one option, found none; see petstore-sandbox'],
    [['requests', '--operation', 'getPets'], '--operation must be "listInventory" or'],
    [['keys', '--plan', 'gold'], '--plan must be "free" or "pro" or'],
    [['pets', 'remove', '..'], 'petId must be an int64 in canonical decimal such as 7, found ".."'],
    [['pets', 'change', '07', 'a=b'], 'petId must be an int64 in canonical decimal such as 7'],
    [['orders', 'remove', 'x/y'], 'id must be an int64 in canonical decimal such as 7'],
    [['orders', 'change', '1001', 'sold'], 'a field must be name=value, a JSON object or a .json'],
    [['pets', 'add', '{"petId"'], 'fields must be JSON or a .json file, found line 1, column 9'],
    [['faults', 'set', '[{]'], 'fields must be JSON or a .json file, found line 1, column 3'],
    [['faults', 'set', '/no/such.json'], '/no/such.json: must be a readable file, found'],
    [['use', './no-such.json'], './no-such.json: must be a readable file, found ENOENT'],
  ])('%j fails with the wanted value, and sends nothing', async (args, reason) => {
    const requests = vi.spyOn(globalThis, 'fetch')
    expect(readFailure(await run(['world', ...args]))).toContain(reason)
    expect(requests).not.toHaveBeenCalled()
    requests.mockRestore()
  })

  test('a file that cannot be written is reported with its option', async () => {
    const { world } = await serveWorld()
    expect(readFailure(await world('snapshot', '--output', '/no/such/file'))).toContain(
      'cannot write --output /no/such/file: its directory does not exist',
    )
  })

  test('an invalid JSON file is reported with line and column', async () => {
    const directory = await createDirectory({ 'shop.json': '{\n  "name" 1\n}' })
    const path = join(directory, 'shop.json')
    const line = readFailure(await run(['world', 'use', path]))
    expect(line).toContain(`${path}: must be JSON, found line 2, column 10`)
  })
})

describe('an error response', () => {
  const help = (command: string) => `; see petstore-sandbox world ${command} --help`
  const anotherKey = 'petstore-sandbox key prints a key; set it with --key or PETSTORE_SANDBOX_KEY'

  test.each([
    ['sbx_revoked', 'sbx_revoked…'],
    ['sbx_free_low-stok_secret-label', 'sbx_free_low…'],
    ['another-secret', 'another…'],
  ])('for the key %s is printed with the masked key and the next step', async (key, masked) => {
    const { world } = await serveWorld()
    for (const command of ['show', 'events']) {
      const line = readFailure(await world(command, '--key', key))
      expect(line).toContain(`invalid_api_key for the key ${masked}: `)
      expect(line).toContain(anotherKey)
      expect(line).not.toContain('secret')
    }
  })

  test.each([
    [['clock', 'set', 'noon'], 'invalid_field: now must be an ISO 8601', help('clock set')],
    [['clock', 'advance', '5m'], 'invalid_field: advance must be millisec', help('clock advance')],
    [['quota', 'ban', '--seconds', '0'], 'invalid_field: ban.seconds must be', help('quota ban')],
    [['quota', 'ban', '--seconds', '1.5'], 'ban.seconds must be an integer', help('quota ban')],
    [['quota', 'ban', '--seconds', 'false'], 'ban.seconds must be an integer', help('quota ban')],
    [
      ['quota', 'set', '--minute-remaining', 'x'],
      'invalid_field: minute.remaining must be an integer, found "x" (string)',
      help('quota set'),
    ],
    [
      ['quota', 'set', '--day-used', '1', '--day-remaining', '1'],
      'invalid_field: day must be an object with used or remaining, not both',
      help('quota set'),
    ],
    [
      ['faults', 'add', 'sequence=[{"status":200}]'],
      'invalid_field: sequence[0].status must be a number of at least 400',
      help('faults add'),
    ],
    [['faults', 'add', 'type=explode'], 'invalid_field: type must be', help('faults add')],
    [['faults', 'set', '{"type": "reset"}'], 'must be an array, found', help('faults set')],
    [['requests', '--status', 'x'], 'invalid_parameter: status must be', help('requests list')],
    [['snapshot', '--name', 'No Name'], 'invalid_parameter: name must be', help('snapshot')],
    [['pets', 'add', 'name=Rex'], 'missing_field: petId is missing', help('pets add')],
    [
      ['pets', 'add', 'petId=7', 'name=R'],
      'resource_conflict: a pet with the petId 7',
      help('pets add'),
    ],
    [
      ['pets', 'remove', '99'],
      'pet_not_found: no pet has',
      '; petstore-sandbox world pets lists the pets',
    ],
    [
      ['orders', 'remove', '9'],
      'resource_not_found: no',
      '; petstore-sandbox world orders lists the orders',
    ],
    [['use', 'low-stok'], 'did you mean "low-stock"?', '; petstore-sandbox world scenarios lists'],
    [['use', 'report'], 'found "report" (string)', '; petstore-sandbox world scenarios lists'],
    [['keys', '--scenario', 'slw'], 'did you mean "slow"?', 'world scenarios'],
  ])('to %j is printed with its reason and the next step', async (args, reason, nextStep) => {
    const { world, sandbox } = await serveWorld()
    const before = sandbox.world.snapshot()
    const line = readFailure(await world(...args))
    expect(line).toContain(reason)
    expect(line).toContain(nextStep)
    expect(sandbox.world.snapshot()).toEqual(before)
  })

  test('with several problems of a scenario file is printed as one line', async () => {
    const { world } = await serveWorld()
    const shop = { name: 'my-shop', pets: [{ petId: 'x', name: 5 }] }
    const directory = await createDirectory({ 'shop.json': shop })
    const line = readFailure(await world('use', join(directory, 'shop.json')))
    expect(line).toMatch(/2 problems; .*pets\[0\]\.petId must be .*; .*pets\[0\]\.name must be /)
  })

  test('to a URL of the service is printed with the wanted URL', async () => {
    const { url, world } = await serveWorld()
    expect(readFailure(await world('--url', `${url}/v1`))).toContain(
      '; --url must be the root of a sandbox such as http://127.0.0.1:4010',
    )
  })
})

describe('a server that is not a sandbox', () => {
  const elsewhere = '; --url must be the root of a sandbox such as http://127.0.0.1:4010'
  const json = { 'Content-Type': 'application/json' }

  test.each([
    ['a page', 200, { 'Content-Type': 'text/html' }, '<!doctype html>', '200 with text/html'],
    ['a page of an error', 404, { 'Content-Type': 'text/html' }, '<h1>No', '404 with text/html'],
    ['a proxy', 502, {}, 'bad gateway', '502 with no content type'],
    ['nothing', 204, {}, '', '204 with no content type'],
    ['other JSON', 200, json, '{"hello": "world"}', '200 with application/json'],
    ['invalid JSON', 200, json, '{"hello"', '200 with application/json'],
    ['other JSON of an error', 400, json, '{"error": "no"}', '400 with application/json'],
    ['JSON that is not an object', 200, json, 'null', '200 with application/json'],
    [
      'a content type with control characters',
      200,
      { 'Content-Type': 'a/\u009b2J' },
      '',
      'a/\\u{9b}2J',
    ],
  ])('that responds with %s makes every command fail in one line', async (...row) => {
    const [, status, headers, body, found] = row
    const url = await serve((_, res) => res.writeHead(status, headers).end(body))
    for (const args of [['show'], ['pets'], ['clock', 'freeze'], ['snapshot'], ['events']]) {
      const line = readFailure(await run(['world', ...args, '--url', url]))
      expect(line).toContain(
        `the server at ${url} is not a petstore-sandbox of this version, found`,
      )
      expect(line).toContain(found)
      expect(line).toContain(elsewhere)
    }
  })

  test.each([69, 72, 76])(
    'of a redirect that repeats the key has no part of it',
    async (length) => {
      const key = 'live-51-abcdefghijk'
      const start = 'https://other.example/'.padEnd(length, 'x')
      const url = await serve((_, res) => res.writeHead(302, { Location: start + key }).end())
      const line = readFailure(await run(['world', '--url', url, '--key', key]))
      expect(line).toContain('found a redirect to https://other.example/xxx')
      expect(line).not.toContain('live-51-abc')
    },
  )

  test('that redirects does not make the client send the key elsewhere', async () => {
    const keys: unknown[] = []
    const trap = await serve((req, res) => {
      keys.push(req.headers.authorization)
      res.end()
    })
    const url = await serve((_, res) => res.writeHead(302, { Location: trap }).end())
    expect(readFailure(await run(['world', '--url', url]))).toContain(`found a redirect to ${trap}`)
    expect(keys).toEqual([])
  })

  test('cannot print the key or the token that it repeats', async () => {
    const url = await serve((req, res) => {
      const message = `bad ${req.headers.authorization} ${req.headers['sandbox-token']}`
      res.writeHead(401, jsonHeaders).end(JSON.stringify({ code: 'x', message, status: 401 }))
    })
    const key = 'sbx_free_default_verysecretlabel'
    const { code, stderr } = await run(
      ['world', 'show', '--key', key, '--token', 'tokensecret99-of-16'],
      { PETSTORE_SANDBOX_URL: url },
    )
    expect(code).toBe(1)
    expect(stderr).toContain('bad Bearer sbx_free_def… …')
    expect(stderr).not.toMatch(/verysecret|tokensecret/)
  })

  test('cannot print control characters with an Error body', async () => {
    const error = { code: 'a\u001b[2J', message: 'b\n\u001b[2Jc\u202e', status: 418 }
    const url = await serve((_, res) => res.writeHead(418).end(JSON.stringify(error)))
    const line = readFailure(await run(['world', '--url', url]))
    expect(line).toContain('a\\u{1b}[2J: b; \\u{1b}[2Jc\\u{202e}; see petstore-sandbox world show')
  })
})

test('an error code that is a property of every object has the help as its next step', async () => {
  const error = { code: 'constructor', message: 'odd', status: 400 }
  const url = await serve((_, res) => res.writeHead(400).end(JSON.stringify(error)))
  const line = readFailure(await run(['world', '--url', url]))
  expect(line).toBe('petstore-sandbox: constructor: odd; see petstore-sandbox world show --help')
})

test('internal_error refers to the log of the sandbox', async () => {
  const { world } = await serveWorld()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(controlOperations.getClock, 'run').mockImplementation(() => {
    throw new Error('secret')
  })
  const line = (await world('clock')).stderr
  vi.restoreAllMocks()
  expect(line).toMatch(/^petstore-sandbox: internal_error: .+; see the log of the sandbox\n$/)
  expect(line).not.toContain('secret')
})
