import { execFile, execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JournalEntry } from '../../src/console/control-types.js'
import { toHar } from '../../src/console/copies/har.js'
import {
  explainUnsendable,
  findBaseUrl,
  findKey,
  listMissing,
  readSent,
  toCurlCopy,
  toFetchCopy,
} from '../../src/console/copies/sent-request.js'
import { createEntry, type EntryFields, readServed } from './support.js'

const pageKey = 'sbx_pro_default_mine'

const readAt = (root: string, entry: JournalEntry) =>
  readSent(entry, findBaseUrl({ root }, entry.address), pageKey)

it.each([
  [null, undefined],
  ['sbx_pro_defa…', pageKey],
  ['sbx_free…', 'sbx_free'],
  ['sbx_business…', 'YOUR_API_KEY'],
  ['partner-…', 'YOUR_API_KEY'],
])('findKey for the masked key %s returns %s', (apiKey, expected) => {
  expect(findKey(createEntry({ apiKey }), pageKey)).toBe(expected)
})

describe('a copy as curl', () => {
  /** Runs a command against a server and returns the request that arrives. */
  async function receive(toCommand: (root: string) => string) {
    const received: { line: string; headers: Record<string, unknown>; body: string }[] = []
    const server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req.setEncoding('utf8')) body += chunk
      received.push({ line: `${req.method} ${req.url}`, headers: req.headers, body })
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const command = toCommand(`http://127.0.0.1:${port}`)

    await new Promise((resolve, reject) =>
      execFile('sh', ['-c', `${command} -s`], (error) => (error ? reject(error) : resolve(0))),
    )
    return received[0]
  }

  const copy = (entry: JournalEntry) => (root: string) => toCurlCopy(readAt(root, entry))

  it.each([
    ['quotes, dollars and line breaks', `it's "$HOME" \`id\`\n\\n\t%s @x`],
    ['the beginning of a file name', '@/etc/hostname'],
  ])('sends a body with %s unchanged', async (_, body) => {
    const entry = createEntry({ request: { body, headers: { 'x-note': `it's` } } })
    const received = await receive(copy(entry))
    expect(received?.body).toBe(body)
    expect(received?.headers).toMatchObject({
      authorization: `Bearer ${pageKey}`,
      'x-note': `it's`,
    })
    // curl would add the type of a form.
    expect(received?.headers['content-type']).toBeUndefined()
  })

  it.each([
    ['GET', '/a/../b/{1}/[2]', 'x={3,4}&y=[5-6]'],
    ['HEAD', '/pets/7', null],
    ['DELETE', '/pets/7', null],
  ])('sends %s %s unchanged', async (method, path, query) => {
    const entry = createEntry({ request: { method, path, query, body: null }, address: 'api' })
    const received = await receive(copy(entry))
    expect(received?.line).toBe(`${method} /v1${path}${query ? `?${query}` : ''}`)
  })

  it('contains no control characters, which a terminal could interpret', () => {
    const entry = createEntry({ request: { body: '\u001b[201~\u0007' } })
    expect(copy(entry)(new URL('http://127.0.0.1').origin)).not.toMatch(/\p{Cc}/u)
  })

  it('says what the journal does not have', () => {
    const entry = createEntry({
      apiKey: 'partner-…',
      incomplete: ['requestBody', 'requestHeaders.x-trace', 'requestHeaders.user-agent'],
    })
    expect(listMissing(entry)).toEqual(['request body', 'header x-trace'])
    const comments = copy(entry)('http://127.0.0.1').split('\n').slice(0, 2)
    expect(comments).toEqual([
      '# The journal does not have all of: request body, header x-trace.',
      '# The journal has only the beginning of the key, partner-….',
    ])
    execFileSync('sh', ['-n', '-c', copy(entry)('http://127.0.0.1')])
  })
})

describe('a copy as fetch', () => {
  const toCode = (entry: JournalEntry) => toFetchCopy(readAt('https://sandbox.example/pets', entry))

  it('is code that passes the same request', async () => {
    const body = `</script>'"\u2028\${x}`
    const code = toCode(createEntry({ request: { body } }))
    const calls: unknown[][] = []
    const run = new Function('fetch', 'console', `return (async () => { ${code} })()`)
    const respond = (...call: unknown[]) => {
      calls.push(call)
      return new Response('')
    }
    await run(respond, { log: () => {} })
    expect(calls).toEqual([
      [
        'https://sandbox.example/pets/quickstart/messages',
        {
          method: 'POST',
          headers: { authorization: `Bearer ${pageKey}`, 'content-type': 'application/json' },
          body,
        },
      ],
    ])
  })
})

describe('Resend', () => {
  const explain = (fields: EntryFields) => {
    const entry = createEntry(fields)
    return explainUnsendable(entry, readAt('https://sandbox.example', entry).request)
  }

  it.each([
    [{}, undefined],
    [{ incomplete: ['requestBody'] }, 'It cannot be resent.'],
    [{ request: { query: 'token=…' } }, 'It cannot be resent.'],
    [{ request: { method: 'TRACE' } }, /^The browser cannot resend it: .*TRACE/],
    [{ request: { method: 'GET' } }, /^The browser cannot resend it: .*body/],
    [{ request: { path: '/a/../b' } }, 'The browser cannot resend it: it changes the path.'],
    [{ incomplete: ['requestHeaders'] }, undefined],
    [{ request: { path: '/pets/a|b', query: `name='a'&b="c"` } }, undefined],
    [{ request: { path: '/pets/%zz' } }, undefined],
  ])('for %j says %s', (fields, expected) => {
    if (expected === undefined) expect(explain(fields)).toBeUndefined()
    else expect(explain(fields)).toMatch(expected)
  })
})

describe('toHar', () => {
  function read(entries: readonly JournalEntry[]) {
    return JSON.parse(toHar(entries, readServed('https://sandbox.example'), '1.0.0')).log
  }

  it('has the fields of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), oldest entry first', () => {
    const log = read([
      createEntry({ id: 2, request: { query: 'a=1&b=%20&a', headers: {}, body: null } }),
      createEntry({ id: 1 }),
    ])
    const [entry, next] = log.entries
    expect({ ...log, entries: [] }).toEqual({
      version: '1.2',
      creator: { name: 'petstore-sandbox', version: '1.0.0' },
      pages: [],
      entries: [],
    })
    const message = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
    expect(entry).toEqual({
      startedDateTime: '2026-01-31T08:59:59.997Z',
      time: 2.5,
      request: {
        ...message,
        method: 'POST',
        url: 'https://sandbox.example/quickstart/messages',
        headers: [
          { name: 'content-type', value: 'application/json' },
          { name: 'user-agent', value: 'shop/1.0' },
        ],
        queryString: [],
        postData: { mimeType: 'application/json', text: '{"message":"hi"}' },
        bodySize: 16,
      },
      response: {
        ...message,
        status: 202,
        statusText: '',
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { size: 11, mimeType: 'application/json', text: '{"ünï":1}' },
        redirectURL: '',
        bodySize: 11,
      },
      cache: {},
      timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 2.5, receive: 0 },
      _sandbox: expect.objectContaining({ id: 1 }),
    })
    expect(next.request.queryString).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: ' ' },
      { name: 'a', value: '' },
    ])
  })

  it('states which parts the journal does not have', () => {
    const response = { status: 0, headers: {}, body: null }
    const [entry] = read([createEntry({ response, incomplete: ['requestBody'] })]).entries
    expect(entry).toMatchObject({
      request: { bodySize: -1 },
      comment: 'Truncated or missing: requestBody',
    })
  })
})
