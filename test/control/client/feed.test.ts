import { expect, test, vi } from 'vitest'
import { openServer } from '../../support/server.js'
import { connectTo } from './support.js'

/** Time for a machine that is busy, in milliseconds. A stream reconnects in less than one second. */
const patience = { timeout: 8_000 }

function createGate() {
  let resolve = () => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve }
}

/** Opens a server and a handle, whose event streams can be broken and delayed. */
async function openBreakable() {
  const { url, server } = await openServer()
  const streams: AbortController[] = []
  let journals = 0
  let gate: Promise<unknown> = Promise.resolve()
  let wait = async () => {}
  let replace: (() => Response) | undefined
  const world = await connectTo(url, {
    async fetch(target, init) {
      if (!target.endsWith('/events')) {
        if (target.includes('/journal')) await wait()
        const response = await fetch(target, init)
        if (target.endsWith('/journal')) journals += 1
        return response
      }
      await gate
      if (replace) return replace()
      const breaking = new AbortController()
      const signals = [breaking.signal, ...(init.signal ? [init.signal] : [])]
      const response = await fetch(target, { ...init, signal: AbortSignal.any(signals) })
      streams.push(breaking)
      return response
    },
  })
  const list = () => fetch(`${world.baseUrl}/inventory`, { headers: world.headers })
  return {
    server,
    world,
    list,
    /** Number of streams that have responded. */
    count: () => streams.length,
    /** Number of times that the journal was read. */
    countJournals: () => journals,
    breakStream: () => streams.at(-1)?.abort(),
    delayUntil: (promise: Promise<unknown>) => {
      gate = promise
    },
    beforeJournal: (run: () => Promise<void>) => {
      wait = run
    },
    replaceBy: (create: () => Response) => {
      replace = create
    },
  }
}

test('a broken event stream is opened again, and missed entries arrive once and in order', async () => {
  const { world, list, breakStream, delayUntil, count } = await openBreakable()
  await list()
  const ids: number[] = []
  await world.journal.subscribe(({ id }) => ids.push(id))
  await list()
  await vi.waitFor(() => expect(ids).toEqual([2]), patience)
  const { promise, resolve } = createGate()
  delayUntil(promise)
  breakStream()
  await list()
  await list()
  expect(ids).toEqual([2])
  resolve()
  await vi.waitFor(() => expect(ids).toEqual([2, 3, 4]), patience)
  await list()
  await vi.waitFor(() => expect(ids).toEqual([2, 3, 4, 5]), patience)
  expect(count()).toBe(2)
})

test('the stream continues after a restart and after an eviction of the world', async () => {
  const { world, list, server, count } = await openBreakable()
  const entries: (readonly [id: number, atMs: number])[] = []
  await world.journal.subscribe(({ id, status }) => entries.push([id, status]))
  await list()
  await vi.waitFor(() => expect(entries).toHaveLength(1), patience)
  await world.use('rate-limited')
  await list()
  await vi.waitFor(() => expect(entries).toHaveLength(2), patience)
  expect(entries[1]?.[1]).toBe(429)
  server.sandbox.reset()
  await list()
  await vi.waitFor(() => expect(entries).toHaveLength(3), patience)
  expect(entries[2]).toEqual([1, 200])
  expect(count()).toBe(3)
})

test('entries arrive once if the world restarts before the journal is read', async () => {
  const { world, list, breakStream, beforeJournal, count } = await openBreakable()
  const ids: number[] = []
  await world.journal.subscribe(({ id }) => ids.push(id))
  let restarts = 0
  beforeJournal(async () => {
    if (count() < 2 || restarts > 0) return
    restarts += 1
    await world.reset()
    await list()
  })
  breakStream()
  await vi.waitFor(() => expect(count()).toBe(3), patience)
  await list()
  await vi.waitFor(() => expect(ids.at(-1)).toBe(2), patience)
  expect(ids).toEqual([1, 2])
})

test('waitFor counts requests before, during and after a broken stream', async () => {
  const { world, list, breakStream, delayUntil, count } = await openBreakable()
  await list()
  const waiting = world.requests.waitFor('listInventory', { atLeast: 3, timeoutMs: 8_000 })
  await vi.waitFor(() => expect(count()).toBe(1), patience)
  const { promise, resolve } = createGate()
  delayUntil(promise)
  breakStream()
  await list()
  resolve()
  await vi.waitFor(() => expect(count()).toBe(2), patience)
  await list()
  expect(await waiting).toMatchObject({ id: 3 })
})

test('waitFor counts a request once that the journal has and a broken stream delivers later', async () => {
  const { world, list, breakStream, delayUntil, countJournals } = await openBreakable()
  const ids: number[] = []
  await world.journal.subscribe(({ id }) => ids.push(id))
  const { promise, resolve } = createGate()
  delayUntil(promise)
  breakStream()
  await list()
  const waiting = world.requests.waitFor('listInventory', { atLeast: 2, timeoutMs: 8_000 })
  await vi.waitFor(() => expect(countJournals()).toBe(1), patience)
  resolve()
  await vi.waitFor(() => expect(ids).toEqual([1]), patience)
  await list()
  expect(await waiting).toMatchObject({ id: 2 })
})

test('listeners of a handle share one stream, which is closed with the last one', async () => {
  const { world, list, server, count } = await openBreakable()
  const { journal } = await server.sandbox.worldFor(world.apiKey)
  const listeners = vi.spyOn(journal, 'subscribe')
  const removals = await Promise.all([
    world.journal.subscribe(() => {}),
    world.journal.subscribe(() => {}),
  ])
  const waiting = world.requests.waitFor('listInventory')
  await list()
  await waiting
  expect([count(), listeners.mock.calls.length]).toEqual([1, 1])
  for (const remove of removals) remove()
  await list()
  await world.requests.waitFor('listInventory', { atLeast: 2 })
  expect(count()).toBe(2)
})

test('the stream is closed with the last listener, also if fetch does not pass the signal on', async () => {
  const { url } = await openServer()
  const cancel = vi.fn()
  const world = await connectTo(url, {
    async fetch(target, { signal: _, ...init }) {
      const response = await fetch(target, init)
      if (!target.endsWith('/events')) return response
      await response.body?.cancel()
      return new Response(new ReadableStream({ cancel }), response)
    },
  })
  const remove = await world.journal.subscribe(() => {})
  expect(cancel).not.toHaveBeenCalled()
  remove()
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), patience)
})

test('waitFor rejects if the stream cannot be opened again', async () => {
  const { world, breakStream, replaceBy, count } = await openBreakable()
  const waiting = world.requests.waitFor('listInventory', { timeoutMs: 60_000 })
  await vi.waitFor(() => expect(count()).toBe(1), patience)
  const body = { code: 'invalid_api_key', message: 'the API key is revoked', status: 401 }
  replaceBy(() => Response.json(body, { status: 401 }))
  breakStream()
  await expect(waiting).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 })
})

test('waitFor rejects at once if the sandbox cannot be reached', async () => {
  const { world, server } = await openBreakable()
  await server.close()
  const waiting = world.requests.waitFor('listInventory', { timeoutMs: 60_000 })
  await expect(waiting).rejects.toMatchObject({ code: 'unreachable' })
})

test('waitFor uses real time, also with fake timers', async () => {
  const { world, list } = await openBreakable()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    await expect(world.requests.waitFor('getPet', { timeoutMs: 30 })).rejects.toThrow(
      'waited 30 ms',
    )
    await list()
    expect(await world.requests.waitFor('listInventory')).toMatchObject({ id: 1 })
  } finally {
    vi.useRealTimers()
  }
})

test('waitFor says that the sandbox did not respond in its time', async () => {
  const { world, delayUntil } = await openBreakable()
  delayUntil(new Promise(() => {}))
  const waiting = world.requests.waitFor('listInventory', { timeoutMs: 30 })
  await expect(waiting).rejects.toThrow('The sandbox did not send its journal in this time.')
})
