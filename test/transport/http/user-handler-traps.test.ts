import { createRequire } from 'node:module'
import { ReadableStream } from 'node:stream/web'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { describe, expect, test } from 'vitest'
import { authorization, openServer, toRequest, watchErrors } from './support/open-server.js'
import { startUnprotected } from './support/unprotected.js'

/** The copy of msw that the middleware loads with `require`. */
const sameCopy: { http: typeof http; HttpResponse: typeof HttpResponse } = createRequire(
  import.meta.url,
)('msw')

const handlers: readonly RequestHandler[] = [
  http.get('/reset', () => HttpResponse.error()),
  http.get('/items/:id', () => HttpResponse.json('from the handler')),
  sameCopy.http.get(
    '/login',
    () => new sameCopy.HttpResponse('in', { headers: { 'Set-Cookie': 'session=mine' } }),
  ),
  sameCopy.http.get('/who', ({ cookies }) => sameCopy.HttpResponse.json(cookies)),
]

describe('a network error', () => {
  test('ends the process of the unprotected middleware', async () => {
    const { url, exited } = await startUnprotected()
    await fetch(`${url}/reset`).catch(() => {})
    expect(await exited).not.toBe(0)
  })

  test('closes one connection of the sandbox', async () => {
    const { fetch, expectUnharmed } = await openServer({ handlers })
    await expect(fetch('/reset')).rejects.toThrow()
    await expectUnharmed()
  })
})

describe('a body that fails', () => {
  test('ends the process of the unprotected middleware', async () => {
    const { url, exited } = await startUnprotected()
    await fetch(`${url}/failing-body`)
      .then((response) => response.text())
      .catch(() => {})
    expect(await exited).not.toBe(0)
  })

  const failure = new Error('the body fails')

  test.each<[string, () => AsyncGenerator<unknown>]>([
    [
      'at once',
      async function* () {
        yield await Promise.reject(failure)
      },
    ],
    [
      'after its first bytes',
      async function* () {
        yield new TextEncoder().encode('begun')
        throw failure
      },
    ],
    [
      'because a chunk is not bytes',
      async function* () {
        yield 5
      },
    ],
  ])('%s closes one connection of the sandbox and is reported', async (_, produce) => {
    const errors = watchErrors()
    const handler = http.get('/failing', () => new HttpResponse(ReadableStream.from(produce())))
    const { fetch, expectUnharmed } = await openServer({ handlers: [handler] })
    await expect(fetch('/failing').then((response) => response.text())).rejects.toThrow()
    await expectUnharmed()
    expect(errors).toHaveBeenCalledOnce()
  })
})

test('the unprotected middleware is bypassed, shares cookies, loses a body and fails', async () => {
  const { url } = await startUnprotected()
  const bypassed = await fetch(`${url}/items/7`, { headers: { Accept: 'msw/passthrough' } })
  expect(await bypassed.json()).toMatchObject({ after: 'the handlers' })
  await (await fetch(`${url}/login`)).text()
  expect(await (await fetch(`${url}/who`)).json()).toMatchObject({ session: 'mine' })
  const init = { method: 'POST', body: 'sent' }
  const posted = await fetch(`${url}/other`, init).catch(() => undefined)
  expect((await posted?.json())?.body).not.toBe('sent')
  expect((await fetch(`${url}/items/%zz`)).status).toBe(500)
})

test('a cookie in a response is sent only to its client', async () => {
  const { fetch } = await openServer({ handlers })
  const response = await fetch('/login')
  expect(response.headers.getSetCookie()).toEqual(['session=mine'])
  expect(await (await fetch('/who')).json()).toEqual({})
  const init = { headers: { Cookie: 'session=other' } }
  expect(await (await fetch('/who', init)).json()).toEqual({ session: 'other' })
})

test('a malformed percent-encoding matches no handler', async () => {
  const errors = watchErrors()
  const { fetch, send, expectUnharmed } = await openServer({ handlers })
  expect((await fetch('/items/%zz')).status).toBe(404)
  const pet = toRequest('GET /v1/pets/%zz', [authorization])
  expect(await send(pet)).toMatchObject({ status: 400 })
  await expectUnharmed()
  expect(errors).not.toHaveBeenCalled()
})
