import https from 'node:https'
import axios from 'axios'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { ReservedSandbox } from '../../../src/testing/reserved-sandbox.js'

const url = 'https://api.petstore.example/v1/inventory/1'
const patch = {
  method: 'PATCH',
  headers: { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' },
  body: '{"quantity":77}',
}

test('fetch rejects with the reason of the signal', async () => {
  const sandbox = await createSandbox()
  const reason = new Error('the user left the page')
  const signal = AbortSignal.abort(reason)
  await expect(sandbox.fetch(url, { ...patch, signal })).rejects.toBe(reason)
  await expect(sandbox.fetch(new Request(url, { ...patch, signal }))).rejects.toBe(reason)
  expect(sandbox.world.requests.count()).toBe(0)
})

test('fetch that is aborted while the body is read changes nothing', async () => {
  const sandbox = await createSandbox()
  const controller = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      stream.enqueue(new TextEncoder().encode(patch.body))
      controller.abort()
      stream.close()
    },
  })
  const init = { ...patch, body, duplex: 'half', signal: controller.signal }
  await expect(sandbox.fetch(url, init)).rejects.toMatchObject({ name: 'AbortError' })
  expect(sandbox.world.db.pets.find('1')?.quantity).not.toBe(77)
  expect(sandbox.world.requests.find()).toMatchObject([{ status: 0, aborted: true }])
})

test('an abort or close ends a delay in the time of a frozen world', async () => {
  const sandbox = await createSandbox()
  const { clock, faults, requests } = sandbox.world
  clock.freeze()
  faults.set({ type: 'delay', delayMs: 5_000, clock: 'world' })
  const controller = new AbortController()
  const aborted = sandbox.fetch(url, { ...patch, signal: controller.signal })
  const waiting = sandbox.fetch(url, patch)
  await expect.poll(() => requests.pending()).toHaveLength(2)
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  expect(requests.find()).toMatchObject([{ status: 0, aborted: true }])
  await sandbox.close()
  expect((await waiting).status).toBe(200)
  expect(clock.waits).toBe(0)
})

test('the fetch of a test sandbox rejects if the signal is aborted', async () => {
  const settings = { title: 'abort', plan: 'free', scenario: undefined } as const
  const sandbox = await ReservedSandbox.open(await createSandbox(), settings)
  const aborted = sandbox.fetch('/inventory/1', { ...patch, signal: AbortSignal.abort() })
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  expect(sandbox.world.requests.count()).toBe(0)
})

/** Sends a GET request with `node:https`, and destroys it when the signal is aborted. */
function destroyWithHttps(target: string, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = https.get(target, { headers }, resolve)
    request.on('error', reject)
    signal.addEventListener('abort', () => request.destroy(new Error('given up')))
  })
}

const listUrl = 'https://api.petstore.example/v1/inventory'
const headers = { Authorization: 'Bearer sbx_free' }

test.each([
  ['fetch', (signal: AbortSignal) => fetch(listUrl, { headers, signal })],
  ['axios', (signal: AbortSignal) => axios.get(listUrl, { headers, signal })],
  ['node:https', (signal: AbortSignal) => destroyWithHttps(listUrl, signal)],
])(
  'a delayed request of %s through msw is in the journal as soon as it is aborted',
  async (_, send) => {
    // Without the abort, the delay does not end.
    const sandbox = await createSandbox({ sleep: () => new Promise<void>(() => {}) })
    const server = setupServer(...sandbox.handlers)
    server.listen()
    onTestFinished(() => server.close())
    sandbox.world.faults.add({ type: 'delay', delayMs: 60_000 })
    const { requests } = sandbox.world
    const controller = new AbortController()
    const sent = send(controller.signal)
    await expect.poll(() => requests.pending()).toHaveLength(1)
    expect(requests.pending()).toMatchObject([{ method: 'GET', path: '/inventory' }])
    controller.abort()
    await expect(sent).rejects.toThrow()
    expect(requests.find()).toMatchObject([{ status: 0, aborted: true }])
    expect(requests.pending()).toEqual([])
  },
)
