import { describe, expect, test } from 'vitest'
import { wrongServices } from '../../scripts/fidelity/wrong-services.js'
import { createSandbox, type Scenario } from '../../src/index.js'
import { RequestFailure, type Send } from '../../src/verify/request.js'
import { startMs } from '../support/suite.js'
import { idsOf, type Run, toSend, verifySandbox, verifyWith } from './support.js'

/** Runs the checks, with responses that a function may replace. */
async function verifyChanged(
  change: (send: Send) => Send,
  options: Parameters<typeof verifySandbox>[0] = {},
): Promise<Run> {
  const sandbox = await createSandbox({ now: () => startMs })
  return verifyWith(sandbox, change(toSend(sandbox)), options)
}

/** Has 20 requests per minute. */
const limited: Scenario = {
  name: 'limited',
  extends: ['default'],
  plans: { free: { requestsPerMinute: 20, requestsPerDay: 1_000 } },
}
const slow = { plan: undefined, exhausts: false }
const rejected = Promise.resolve({
  status: 429,
  headers: new Map([['retry-after', '7']]),
  text: '{"code":"rate_limit_exceeded","message":"Slow down.","status":429}',
})
const unavailable = { status: 503, headers: new Map(), text: '' }
const quantityOf = ({ sandbox }: Run) => sandbox.world.db.pets.find('1')?.quantity

describe('verify', () => {
  test('skips what needs a list, and names the response in place of it', async () => {
    const run = await verifyChanged(
      (send) => async (request, signal) => {
        const isList = request.url.endsWith('/v1/inventory')
        const text = '{"code":"bad_request","message":"No.","status":400}'
        const response = await send(request, signal)
        return isList && response.status === 200 ? { ...response, status: 400, text } : response
      },
      { exhausts: false },
    )
    const reasons = new Map(run.results.map(({ id, reason }) => [id, reason]))
    expect(reasons.get('get-pet.path')).toBe('listInventory responded with 400 (bad_request)')
    expect(reasons.get('inventory-item.pet-id')).toBe(reasons.get('get-pet.path'))
    expect(idsOf(run, 'deviates')).toContain('list-inventory.success')
  })

  test('changes only the given pet, restores it, and queues one message', async () => {
    const run = await verifySandbox({ petId: '7', exhausts: false })
    const changes = run.sandbox.world.journal.entries().flatMap((entry) => entry.changes)
    const updates = changes.filter(({ type }) => type === 'quantity.set')
    expect(updates.length).toBeGreaterThan(4)
    expect(updates).toEqual(updates.map(() => expect.objectContaining({ petId: '7' })))
    expect(updates.at(-1)).toMatchObject({ to: 40 })
    expect(run.sandbox.world.db.pets.find('7')?.quantity).toBe(40)
    expect(run.sandbox.world.db.messages.count).toBe(1)
  })

  test('waits for the limit of the key, and is never rejected', async () => {
    const run = await verifySandbox(slow, limited)
    expect(run.lines).toContainEqual(
      expect.stringMatching(
        /^the key has \d requests? left, and the next check needs \d; waits \d+ s, then /,
      ),
    )
    expect(run.stopped).toBeUndefined()
    const statuses = run.sandbox.world.requests.find().map(({ status }) => status)
    expect(statuses.length).toBeGreaterThan(40)
    expect(statuses).not.toContain(429)
  })

  test('waits once for the 60 requests per minute of Free, with writes', async () => {
    const run = await verifySandbox({ key: 'sbx_free', plan: 'free', exhausts: false })
    expect(run.requests).toBeLessThanOrEqual(90)
    expect(run.lines).toEqual([expect.stringMatching(/; waits \d\d s, then continues$/)])
    expect(idsOf(run, 'failed')).toEqual([])
    expect(run.stopped).toBeUndefined()
  })

  test('skips what does not fit into the limit if it may not wait', async () => {
    const run = await verifySandbox({ ...slow, maxWaitSeconds: 5 }, limited)
    const reasons = run.results.map(({ reason }) => reason)
    expect(reasons).toContainEqual(
      expect.stringMatching(
        /^the key has \d requests left, and the next check needs \d; a wait of \d+ s would exceed --max-wait$/,
      ),
    )
    expect(run.lines).toEqual([])
    expect(idsOf(run, 'deviates')).toEqual([])
  })

  test('sends one request beyond the limit, or two if the first retry is too early', async () => {
    const { sandbox } = await verifySandbox()
    const rejected = sandbox.world.requests.find({ status: 429 })
    expect(rejected).toHaveLength(1)
  })

  test('stops at a 429, and restores what it changed when the time is up', async () => {
    let rejections = 0
    const run = await verifyChanged(
      (send) => (request, signal) => {
        // The second of several updates, and the first attempt to restore what they changed.
        if (request.body === '{"quantity":0}') rejections = 2
        const isRejected = rejections > 0
        rejections -= isRejected ? 1 : 0
        return isRejected ? rejected : send(request, signal)
      },
      { exhausts: false },
    )
    expect(run.stopped).toBe(
      'PATCH /inventory/1 received 429 with Retry-After: 7; no further requests are sent, run the command again in 7 s',
    )
    expect(run.results).toContainEqual(
      expect.objectContaining({
        id: 'send-message.path',
        outcome: 'skipped',
        reason: expect.stringContaining('not run'),
      }),
    )
    expect(run.lines).toEqual([
      'PATCH /inventory/1 received 429 with Retry-After: 7; waits 7 s, then restores the quantity of pet 1',
    ])
    expect(run.unrestored).toEqual([])
    expect(quantityOf(run)).toBe(4)
  })

  test.each<[string, (send: Send, stop: AbortController) => Send, object]>([
    [
      'after an interruption',
      (send, stop) => async (request, signal) => {
        const response = await send(request, signal)
        if (request.body === '{"quantity":11}') stop.abort()
        return response
      },
      { stopped: 'interrupted' },
    ],
    [
      'what a service changed although it responded with 400',
      (send) => async (request, signal) => {
        const response = await send(request, signal)
        if (request.body === '{}') await send({ ...request, body: '{"quantity":0}' }, signal)
        return response
      },
      { stopped: undefined },
    ],
    [
      'what a request without a response changed',
      (send) => async (request, signal) => {
        const response = await send(request, signal)
        if (request.body === '{"quantity":5}') throw new RequestFailure('PATCH: ECONNRESET')
        return response
      },
      { stopped: undefined, reasons: expect.arrayContaining(['PATCH: ECONNRESET']) },
    ],
    [
      'at the end what a service has not restored although it responded with 200',
      (send) => {
        let ignored = 0
        return (request, signal) => {
          const isIgnored = request.body === '{"quantity":4}' && ignored++ < 6
          return send(isIgnored ? { ...request, body: '{"quantity":5}' } : request, signal)
        }
      },
      { stopped: undefined },
    ],
  ])('restores %s', async (_, change, expected) => {
    const stop = new AbortController()
    const run = await verifyChanged((send) => change(send, stop), { signal: stop.signal })
    const reasons = run.results.map(({ reason }) => reason)
    expect({ ...run, reasons }).toMatchObject({ ...expected, unrestored: [] })
    expect(quantityOf(run)).toBe(4)
  })

  test('restores the status at once, before a 429 can end the run', async () => {
    const accept = wrongServices.find(({ does }) => does === 'accepts a status')?.start()
    let isLimited = false
    let status = 'available'
    const run = await verifyChanged((send) => async (request, signal) => {
      if (request.method === 'GET' && isLimited) return rejected
      const sent = /"status":"(\w+)"/.exec(request.body ?? '')
      isLimited ||= sent !== null
      status = sent?.[1] ?? status
      return accept ? accept(request, (one) => send(one, signal)) : send(request, signal)
    })
    expect(run.stopped).toMatch('received 429')
    expect(run.unrestored).toEqual([])
    expect(status).toBe('available')
  })

  test('keeps what another client has changed between two checks', async () => {
    let nowMs = 0
    let isChanged = false
    const run = await verifyChanged(
      (send) => async (request, signal) => {
        const response = await send(request, signal)
        isChanged ||= request.body === '{"quantity":11}'
        // The check has restored the quantity, and the list is too old for the next one.
        if (isChanged && nowMs === 0 && request.body === '{"quantity":4}') {
          nowMs = 6_000
          await send({ ...request, body: '{"quantity":30}' }, signal)
        }
        return response
      },
      { monotonic: () => nowMs },
    )
    expect(idsOf(run, 'deviates')).toEqual([])
    expect(run.unrestored).toEqual([])
    expect(quantityOf(run)).toBe(30)
  })

  test('reports what it could not restore, with the command, and changes nothing more', async () => {
    let changed = 0
    const run = await verifyChanged((send) => async (request, signal) => {
      if (request.body === '{"quantity":11}') changed += 1
      const isLost = changed > 0 && request.body === '{"quantity":4}'
      return isLost ? unavailable : send(request, signal)
    })
    expect(quantityOf(run)).toBe(Number.MAX_SAFE_INTEGER)
    expect(run.unrestored).toEqual([
      {
        petId: '1',
        field: 'quantity',
        now: '9007199254740991',
        before: '4',
        curl: `curl --include --request PATCH --header "Authorization: Bearer $KEY" --header 'Content-Type: application/json' --data '{"quantity":4}' 'https://api.petstore.example/v1/inventory/1'`,
      },
    ])
    expect(run.stopped).toBe('a change could not be undone')
    expect(changed).toBe(1)
  })

  test('attempts three times to restore a quantity', async () => {
    const failures: string[] = []
    let isChanged = false
    const run = await verifyChanged((send) => async (request, signal) => {
      isChanged ||= request.body === '{"quantity":11}'
      const isLost = isChanged && request.body === '{"quantity":4}' && failures.length < 4
      if (isLost) failures.push(request.url)
      return isLost ? unavailable : send(request, signal)
    })
    // Each attempt is repeated once after a 5xx.
    expect(failures).toHaveLength(4)
    expect(run).toMatchObject({ stopped: undefined, unrestored: [] })
    expect(run.lines).toContain(
      'PATCH /inventory/1 responded with 503; waits 2 s, then restores the quantity of pet 1',
    )
    expect(quantityOf(run)).toBe(4)
  })

  test('reports an entry that a service has created', async () => {
    const entry = '{"petId":987654321987,"quantity":1,"status":"available"}'
    let isCreated = false
    const run = await verifyChanged((send) => async (request, signal) => {
      const response = await send(request, signal)
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/987654321987')) {
        isCreated = true
        return { ...response, status: 200, text: entry }
      }
      const isList = isCreated && pathname === '/v1/inventory' && response.status === 200
      return isList ? { ...response, text: response.text.replace('[', `[${entry},`) } : response
    })
    expect(idsOf(run, 'deviates')).toEqual(['update-inventory.unknown-pet'])
    expect(run.unrestored).toEqual([
      { petId: '987654321987', field: 'entry', now: 'present', before: 'none' },
    ])
  })

  test('examines the responses of a run that a 429 has ended', async () => {
    const run = await verifyChanged((send) => async (request, signal) => {
      if (request.method === 'PATCH') return rejected
      const response = await send(request, signal)
      return { ...response, headers: new Map([...response.headers, ['content-type', 'text/xml']]) }
    })
    expect(run.stopped).toMatch(/^PATCH \/inventory\/1 received 429/)
    expect(idsOf(run, 'deviates')).toContain('payloads.media-type')
    expect(run.results).toContainEqual(
      expect.objectContaining({
        id: 'payloads.json',
        outcome: 'skipped',
        reason: expect.stringMatching(/^not complete: PATCH/),
      }),
    )
  })

  test('admits the time of a slow request', async () => {
    let ms = 0
    const run = await verifyChanged(
      (send) => async (request, signal) => {
        const response = await send(request, signal)
        // The clock of the response is read 5 seconds after the clock of its times.
        const date = new Date(Date.parse(response.headers.get('date') ?? '') + 5_000)
        ms += 5_000
        return {
          ...response,
          headers: new Map([...response.headers, ['date', date.toUTCString()]]),
        }
      },
      { exhausts: false, monotonic: () => ms },
    )
    expect(idsOf(run, 'deviates')).toEqual([])
  })

  test('stops after three checks without a response', async () => {
    let sent = 0
    const run = await verifyChanged((send) => (request, signal) => {
      sent += 1
      if (sent > 1) return Promise.reject(new RequestFailure('ECONNREFUSED'))
      return send(request, signal)
    })
    expect(idsOf(run, 'failed')).toHaveLength(3)
    expect(run.stopped).toBe('ECONNREFUSED')
    expect(sent).toBe(4)
  })

  test('sends each key only to its addresses, and names it in the curl commands', async () => {
    const sent: (readonly [string, string | undefined])[] = []
    const stagingKey = 'sbx_free_default_staging'
    const run = await verifyChanged(
      (send) => (request, signal) => {
        sent.push([new URL(request.url).host, request.headers.Authorization])
        return send({ ...request, url: request.url.replace('store/orders', 'orders') }, signal)
      },
      { stagingKey },
    )
    const hosts = (key: string) =>
      new Set(sent.flatMap(([host, value]) => (value?.endsWith(key) ? host : [])))
    expect(hosts(stagingKey)).toEqual(new Set(['staging.api.petstore.example']))
    expect(hosts('sbx_free')).toEqual(
      new Set(['api.petstore.example', 'quickstart.petstore.example']),
    )
    const curl = run.results.find(({ id }) => id === 'staging.separate')?.findings[0]?.curl
    expect(curl).toEqual([
      `curl --include --header "Authorization: Bearer $STAGING_KEY" 'https://staging.api.petstore.example/v1/store/orders'`,
    ])
  })

  test.each([
    ['objects without a usable toString', '[{"petId":{"toString":1},"quantity":{},"status":[]}]'],
    ['a list of null', '[null]'],
    ['a number', '5'],
    [
      'numbers with 10,000 digits',
      `[{"petId":${'9'.repeat(10_000)},"quantity":1,"status":"sold"}]`,
    ],
    ['150,000 entries', `[${'{"petId":1,"quantity":1,"status":"sold"},'.repeat(150_000)}1]`],
  ])('does not fail at %s', async (_, text) => {
    const run = await verifyChanged(
      (send) => async (request, signal) => {
        const response = await send(request, signal)
        return response.status === 200 ? { ...response, text } : response
      },
      { exhausts: false },
    )
    expect(idsOf(run, 'deviates').length).toBeGreaterThan(0)
    for (const { findings } of run.results) {
      for (const { actual } of findings) expect(actual.length).toBeLessThanOrEqual(101)
    }
  })

  test.each([
    ['2026-01-15T09:00:00,250Z', []],
    ['2026-01-15T10:30+01:30', []],
    ['20260115T1000+0100', []],
    ['2026-01-15T09:00:00', []],
    ['2026-01-15T08:00:00+01', ['send-message.created-at']],
    ['2026-13-15T09:00:00Z', ['send-message.created-at']],
  ])('finds in createdAt %s: %j', async (createdAt, found) => {
    const run = await verifyChanged((send) => async (request, signal) => {
      const response = await send(request, signal)
      const text = response.text.replace(/"createdAt":"[^"]+"/, `"createdAt":"${createdAt}"`)
      return { ...response, text }
    })
    expect(idsOf(run, 'deviates')).toEqual(found)
  })

  test.each(['', '-1', '1.5', '0x10', ' 1', '9'.repeat(16), '59, 58'])(
    'finds that X-RateLimit-Remaining: %j is not a whole number',
    async (remaining) => {
      const run = await verifyChanged((send) => async (request, signal) => {
        const response = await send(request, signal)
        const headers = new Map([...response.headers, ['x-ratelimit-remaining', remaining]])
        return { ...response, headers }
      })
      expect(idsOf(run, 'deviates')).toContain('limits.remaining-header')
    },
  )
})
