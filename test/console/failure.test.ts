import { expect, it, onTestFinished, vi } from 'vitest'
import { PageClient } from '../../src/console/session/client.js'
import { showShortKeys } from '../../src/console/session/failure.js'
import { createSandbox } from '../../src/index.js'
import { origin, readServed } from './support.js'

it('a failed control request names its id, by which an operator finds it', async () => {
  const sandbox = await createSandbox({ controlUrl: `${origin}/sandbox` })
  const ids: (string | null)[] = []
  const client = new PageClient(
    readServed().control,
    { apiKey: 'sbx_free', environment: 'production' },
    async (url, init) => {
      const response = await sandbox.fetch(url, init)
      ids.push(response.headers.get('X-Request-Id'))
      return response
    },
  )
  const failure = client.send('removePet', { params: { petId: 99 } })
  await expect(failure).rejects.toMatchObject({
    status: 404,
    advice: expect.stringMatching(/^Request id: [\w-]+\.$/),
  })
  await expect(failure).rejects.toMatchObject({ advice: `Request id: ${ids[0]}.` })
})

it.each([
  [404, 'no sandbox is served at this address'],
  [200, 'it does not have the content that a sandbox sends'],
])('a page with the status %i is not a response of the sandbox', async (status, meaning) => {
  const page = () => new Response('<h1>', { status, headers: { 'Content-Type': 'text/html' } })
  const access = { apiKey: 'sbx_free', environment: 'production' } as const
  const client = new PageClient(readServed().control, access, async () => page())
  const message = `${status} is not a response of the sandbox: ${meaning}`
  await expect(client.send('getOverview')).rejects.toMatchObject({ message })
})

it('a control request without a response fails after 30 s', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeout.mockRestore())
  timeout.mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')))
  const client = new PageClient(
    readServed().control,
    { apiKey: 'sbx_free', environment: 'production' },
    async (_, init) => {
      init?.signal?.throwIfAborted()
      return new Promise<never>(() => {})
    },
  )
  await expect(client.send('getOverview')).rejects.toThrow('the sandbox does not respond')
  expect(timeout).toHaveBeenCalledWith(30_000)
})

it('a masked key that hides nothing has no ellipsis', () => {
  expect(showShortKeys('the keys sbx_free…, sbx_pro… and sbx_free_def… of sbx_business…')).toBe(
    'the keys sbx_free, sbx_pro and sbx_free_def… of sbx_business…',
  )
})
