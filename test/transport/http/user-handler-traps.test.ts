import { createRequire } from 'node:module'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { describe, expect, test } from 'vitest'
import { authorization, openServer, toRequest, watchErrors } from './support/open-server.js'
import { startUnprotected } from './support/unprotected.js'

const json = 'Content-Type: application/json'

/** The copy of msw that the middleware loads with `require`. */
const sameCopy: { http: typeof http; HttpResponse: typeof HttpResponse } = createRequire(
  import.meta.url,
)('msw')

const failingBody = () =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('the body fails'))
    },
  })

const handlers: readonly RequestHandler[] = [
  http.get('/reset', () => HttpResponse.error()),
  http.get('/failing-body', () => new HttpResponse(failingBody())),
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

  test('closes one connection of the sandbox and is reported', async () => {
    const errors = watchErrors()
    const { fetch, expectUnharmed } = await openServer({ handlers })
    await expect(fetch('/failing-body').then((response) => response.text())).rejects.toThrow()
    await expectUnharmed()
    expect(errors).toHaveBeenCalledOnce()
  })

  test('closes the connection after the bytes before the failure', async () => {
    watchErrors()
    let fail = () => {}
    const failing = new Promise<void>((resolve) => {
      fail = resolve
    })
    const breaking = http.get('/breaking', () => {
      let pulls = 0
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          pulls += 1
          if (pulls === 1) controller.enqueue(new TextEncoder().encode('begun'))
          else {
            await failing
            controller.error(new Error('the body fails'))
          }
        },
      })
      return new HttpResponse(body, { headers: { 'Content-Length': '100' } })
    })
    const { connect, expectUnharmed } = await openServer({ handlers: [breaking] })
    const client = connect().send(toRequest('GET /breaking'))
    expect(await client.until('begun')).toContain('200 OK')
    fail()
    await client.closed()
    await expectUnharmed()
  })

  test('closes the connection if a chunk is not bytes', async () => {
    watchErrors()
    const odd = http.get('/odd', () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(5)
          controller.close()
        },
      })
      return new HttpResponse(body)
    })
    const { fetch, expectUnharmed } = await openServer({ handlers: [odd] })
    await expect(fetch('/odd').then((response) => response.text())).rejects.toThrow()
    await expectUnharmed()
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

test('Accept: msw/passthrough does not bypass the handlers of the sandbox', async () => {
  const { fetch } = await openServer({ handlers })
  const response = await fetch('/items/7', { headers: { Accept: 'msw/passthrough' } })
  expect(await response.json()).toBe('from the handler')
})

test('a cookie in a response is sent only to its client', async () => {
  const { fetch } = await openServer({ handlers })
  const response = await fetch('/login')
  expect(response.headers.getSetCookie()).toEqual(['session=mine'])
  expect(await (await fetch('/who')).json()).toEqual({})
  const init = { headers: { Cookie: 'session=other' } }
  expect(await (await fetch('/who', init)).json()).toEqual({ session: 'other' })
})

test('a body that no handler reads is read by the operations', async () => {
  const { send, world } = await openServer({ handlers })
  const request = toRequest('PATCH /v1/inventory/1', [authorization, json], '{"quantity":5}')
  expect(await send(request)).toMatchObject({ status: 200 })
  expect(world.db.pets.find('1')?.quantity).toBe(5)
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
