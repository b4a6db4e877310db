import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { controlOperations } from '../../src/control/operations.js'
import { createDirectory, type Outcome, run } from './support.js'
import { serveOther, serveWorld } from './world-support.js'

/** Holds what a failed command prints against one line with a reason, and gives the line. */
function readFailure({ code, stdout, stderr }: Outcome): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).not.toMatch(/\.[jt]s:\d+|defect of/)
  return stderr.trimEnd()
}

describe('a sandbox that does not answer', () => {
  test('is named, with what starts one', async () => {
    const { url, close, world } = await serveWorld()
    await close()
    expect(readFailure(await world('show'))).toBe(
      `petstore-sandbox: no sandbox answers at ${url} (ECONNREFUSED); petstore-sandbox starts one there, and --url names another`,
    )
  })

  test.each(['show', 'events'])('is told from a port that fetch refuses: %s', async (command) => {
    const url = 'http://127.0.0.1:6000'
    expect(readFailure(await run(['world', command, '--url', url]))).toContain('(bad port)')
  })

  test('is given up when the time is over', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    timeout.mockImplementation(() => AbortSignal.abort(new DOMException('late', 'TimeoutError')))
    const { world } = await serveWorld()
    expect(readFailure(await world('show'))).toContain('no answer came from http://127.0.0.1:')
    expect(timeout).toHaveBeenCalledWith(30_000)
    timeout.mockRestore()
  })

  test('is told when it breaks off in the middle of an answer', async () => {
    const url = await serveOther((_, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
      res.write('{')
      setImmediate(() => res.destroy())
    })
    const line = readFailure(await run(['world', 'clock', '--url', url]))
    expect(line).toMatch(/no sandbox answers at http:\S+ \(\w+\); /)
  })
})

describe('an option that does not fit', () => {
  test.each([
    'nonsense',
    'ftp://127.0.0.1',
    'http://me:secret@127.0.0.1',
    'http://127.0.0.1?a',
    'http://127.0.0.1#a',
  ])('--url %s is refused by its name', async (url) => {
    const wanted = 'must be the http or https URL of a sandbox such as http://127.0.0.1:4010, found'
    const flag = await run(['world', '--url', url])
    expect(readFailure(flag)).toContain(`--url ${wanted} ${JSON.stringify(url)}`)
    const variable = await run(['world'], { PETSTORE_SANDBOX_URL: url })
    expect(readFailure(variable)).toContain(`PETSTORE_SANDBOX_URL ${wanted}`)
  })

  test.each([
    ['', 'an empty one'],
    ['sbx_free default', 'one with a space or a character beyond ASCII'],
    ['sbx_frée', 'one with a space or a character beyond ASCII'],
    ['sbx_free\r\nX: y', 'one with a space or a character beyond ASCII'],
  ])('--key %j is refused without showing it', async (key, found) => {
    const line = readFailure(await run(['world', '--key', key]))
    expect(line).toBe(
      `petstore-sandbox: --key must be an API key such as sbx_free, found ${found}; petstore-sandbox key prints one`,
    )
  })

  test.each([
    [
      ['--environment', 'test'],
      'Allowed choices are production, staging; see petstore-sandbox world --help',
    ],
    [['nonsense'], '"nonsense" is no command of petstore-sandbox world; known: show, '],
    [['clok'], 'did you mean "clock"?'],
    [
      ['clock', 'nonsense'],
      '"nonsense" is no command of petstore-sandbox world clock; known: show',
    ],
    [['pets', 'remov', '7'], 'did you mean "remove"?'],
    [['clock', 'advance'], "argument 'duration'; see petstore-sandbox world clock advance --help"],
    [['clock', 'set', 'a', 'b'], 'too many arguments'],
    [['use'], "missing required argument 'scenario'; see petstore-sandbox world use --help"],
    [['show', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
    [
      ['quota', 'set', '--minute-remaining', 'x'],
      '--minute-remaining must be a whole number from 0, found "x" (string); see petstore-sandbox world quota set --help',
    ],
    [['quota', 'set'], 'quota set must get what to set, found no option; see petstore-sandbox'],
    [['quota', 'ban', '--seconds', '1.5'], '--seconds must be a whole number from 0, found "1.5"'],
    [['requests', '--operation', 'getPets'], '--operation must be "listInventory" or "update'],
    [['pets', 'remove', '..'], 'petId must be an int64 in canonical decimal such as 7, found ".."'],
    [['pets', 'change', '07', 'a=b'], 'petId must be an int64 in canonical decimal such as 7'],
    [['orders', 'remove', 'x/y'], 'id must be an int64 in canonical decimal such as 7'],
    [['orders', 'change', '1001', 'sold'], 'a field must be name=value, a JSON object or a .json'],
    [['pets', 'add', '{"petId"'], 'fields must be JSON or a file of it, found line 1, column 2'],
    [['faults', 'set', '[{]'], 'faults must be JSON or a file of it, found line 1, column 3'],
    [['faults', 'set', '/no/such.json'], '/no/such.json: must be a readable file, found'],
    [['use', './no-such.json'], './no-such.json: must be a readable file, found ENOENT'],
  ])('%j says what was wanted, and nothing is sent', async (args, reason) => {
    const requests = vi.spyOn(globalThis, 'fetch')
    expect(readFailure(await run(['world', ...args]))).toContain(reason)
    expect(requests).not.toHaveBeenCalled()
    requests.mockRestore()
  })

  test('a file that cannot be written is named', async () => {
    const { world } = await serveWorld()
    expect(readFailure(await world('snapshot', '--output', '/no/such/file'))).toContain(
      '--output must be a file that can be written, found ENOENT',
    )
  })

  test('a file that is no JSON is named, with the place', async () => {
    const directory = await createDirectory({ 'shop.json': '{\n  "name" 1\n}' })
    const path = join(directory, 'shop.json')
    const line = readFailure(await run(['world', 'use', path]))
    expect(line).toContain(`${path}: must be JSON, found line 2, column 10`)
  })
})

describe('a sandbox that refuses', () => {
  const help = (command: string) => `; see petstore-sandbox world ${command} --help`
  const anotherKey = 'petstore-sandbox key prints a key, and --key or PETSTORE_SANDBOX_KEY takes it'

  test.each([
    ['sbx_revoked', 'sbx_revoked…'],
    ['sbx_free_low-stok_secret-label', 'sbx_free_low…'],
    ['another-secret', 'another…'],
  ])('the key %s is shown masked, with where to get another', async (key, masked) => {
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
    [
      ['quota', 'set', '--day-used', '1', '--day-remaining', '1'],
      'invalid_field: day must be either used or remaining, not both',
      help('quota set'),
    ],
    [['faults', 'add', 'type=explode'], 'invalid_field: [0].type must be', help('faults add')],
    [['faults', 'set', '{"type": "reset"}'], 'must be an array, found', help('faults set')],
    [['requests', '--status', 'x'], 'invalid_parameter: status must be', help('requests list')],
    [['snapshot', '--name', 'No Name'], 'invalid_parameter: name must be', help('snapshot')],
    [['pets', 'add', 'name=Rex'], 'missing_field: petId is missing', help('pets add')],
    [['pets', 'add', 'petId=7', 'name=R'], 'resource_conflict: the petId 7', help('pets add')],
    [['pets', 'remove', '99'], 'pet_not_found: no pet has', '; petstore-sandbox world pets lists'],
    [['orders', 'remove', '9'], 'resource_not_found: no', '; petstore-sandbox world orders lists'],
    [['use', 'low-stok'], 'did you mean "low-stock"?', '; petstore-sandbox world scenarios lists'],
    [['keys', '--plan', 'gold'], 'invalid_field: plan must be "free" or "pro"', help('keys')],
    [['keys', '--scenario', 'x'], 'invalid_scenario: scenario must be one of', 'world scenarios'],
  ])('%j gives its reason and the next step', async (args, reason, nextStep) => {
    const { world, sandbox } = await serveWorld()
    const before = sandbox.world.snapshot()
    const line = readFailure(await world(...args))
    expect(line).toContain(reason)
    expect(line).toContain(nextStep)
    expect(sandbox.world.snapshot()).toEqual(before)
  })

  test('a scenario file with several problems has all of them in one line', async () => {
    const { world } = await serveWorld()
    const shop = { name: 'my-shop', pets: [{ petId: 'x', name: 5 }] }
    const directory = await createDirectory({ 'shop.json': shop })
    const line = readFailure(await world('use', join(directory, 'shop.json')))
    expect(line).toMatch(/2 problems; .*pets\[0\]\.petId must be .*; .*pets\[0\]\.name must be /)
  })

  test('an address of the service in the place of the root is found out', async () => {
    const { url, world } = await serveWorld()
    expect(readFailure(await world('--url', `${url}/v1`))).toContain(
      '; --url must be the root of a sandbox such as http://127.0.0.1:4010',
    )
  })
})

describe('a server that is no sandbox', () => {
  const elsewhere = '; --url must be the root of a sandbox such as http://127.0.0.1:4010'
  const json = { 'Content-Type': 'application/json' }

  test.each([
    ['a page', 200, { 'Content-Type': 'text/html' }, '<!doctype html>', '200 with text/html'],
    ['a page of an error', 404, { 'Content-Type': 'text/html' }, '<h1>No', '404 with text/html'],
    ['a proxy', 502, {}, 'bad gateway', '502 with no type'],
    ['nothing', 204, {}, '', '204 with no type'],
    ['other JSON', 200, json, '{"hello": "world"}', '200 with application/json'],
    ['JSON that is none', 200, json, '{"hello"', '200 with application/json'],
    ['other JSON of an error', 400, json, '{"error": "no"}', '400 with application/json'],
    ['JSON of no object', 200, json, 'null', '200 with application/json'],
    ['a type that steers terminals', 200, { 'Content-Type': 'a/\u009b2J' }, '', 'a/\\u{9b}2J'],
  ])('that answers %s is told in one line, by every kind of command', async (...row) => {
    const [, status, headers, body, found] = row
    const url = await serveOther((_, res) => res.writeHead(status, headers).end(body))
    for (const args of [['show'], ['pets'], ['clock', 'freeze'], ['snapshot'], ['events']]) {
      const line = readFailure(await run(['world', ...args, '--url', url]))
      expect(line).toContain(`what answers at ${url} is no petstore-sandbox of this version, found`)
      expect(line).toContain(found)
      expect(line).toContain(elsewhere)
    }
  })

  test('that sends the client elsewhere gets no key there', async () => {
    const keys: unknown[] = []
    const trap = await serveOther((req, res) => {
      keys.push(req.headers.authorization)
      res.end()
    })
    const url = await serveOther((_, res) => res.writeHead(302, { Location: trap }).end())
    expect(readFailure(await run(['world', '--url', url]))).toContain('302 with no type')
    expect(keys).toEqual([])
  })

  test('cannot steer the terminal by an Error body', async () => {
    const error = { code: 'a\u001b[2J', message: 'b\n\u001b[2Jc\u202e', status: 418 }
    const url = await serveOther((_, res) => res.writeHead(418).end(JSON.stringify(error)))
    const line = readFailure(await run(['world', '--url', url]))
    expect(line).toContain('a\\u{1b}[2J: b; \\u{1b}[2Jc\\u{202e}; see petstore-sandbox world show')
  })
})

test('a code that every object has a field of gets the help as its next step', async () => {
  const error = { code: 'constructor', message: 'odd', status: 400 }
  const url = await serveOther((_, res) => res.writeHead(400).end(JSON.stringify(error)))
  const line = readFailure(await run(['world', '--url', url]))
  expect(line).toBe('petstore-sandbox: constructor: odd; see petstore-sandbox world show --help')
})

test('a defect of the sandbox is told with where to look', async () => {
  const { world } = await serveWorld()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(controlOperations.getClock, 'run').mockImplementation(() => {
    throw new Error('secret')
  })
  const line = (await world('clock')).stderr
  vi.restoreAllMocks()
  expect(line).toMatch(/^petstore-sandbox: internal_error: .+; the log of the sandbox says more\n$/)
  expect(line).not.toContain('secret')
})
