import { describe, expect, it } from 'vitest'
import { PageClient } from '../../../src/console/session/client.js'
import { toFailure } from '../../../src/console/session/failure.js'
import { createAccess } from '../../../src/transport/http/access.js'
import { openSandbox, readServed } from '../../console/support.js'

const { control } = readServed()
const access = { apiKey: 'sbx_free', environment: 'production' } as const

async function open(apiKey = 'sbx_free'): Promise<PageClient> {
  const { fetch } = await openSandbox()
  return new PageClient(control, { ...access, apiKey }, fetch)
}

describe('PageClient', () => {
  it('sends parameters, a query and a body, and returns the response', async () => {
    const client = await open()
    const change = { params: { petId: 7 }, body: { quantity: 1 } }
    expect(await client.send('changePet', change)).toMatchObject({ petId: 7, quantity: 1 })
    expect(await client.send('listPets', { query: { limit: 1 } })).toMatchObject([{ petId: 1 }])
  })

  it.each([
    ['sbx_free_nonsense', /unknown scenario "nonsense"/],
    ['sbx_revoked', /revoked/],
  ])('throws a failure that needs another key for the key %s', async (apiKey, message) => {
    const client = await open(apiKey)
    const failure = toFailure(await client.send('getOverview').catch((error: unknown) => error))
    expect(failure).toMatchObject({ needs: 'key', message: expect.stringMatching(message) })
  })

  it('sends the token, and throws a failure that needs a permission if the sandbox requires another', async () => {
    const token = 'token-of-the-operator'
    const sandbox = await openSandbox(createAccess({ control: token }))
    const send = (fields: object) =>
      new PageClient(control, { ...access, ...fields }, sandbox.fetch).send('getOverview')
    expect(await send({ token })).toMatchObject({ scenario: 'default' })
    for (const fields of [{}, { token: 'another-token-of-it' }]) {
      const failure = toFailure(await send(fields).catch((error: unknown) => error))
      expect(failure).toMatchObject({ needs: 'permission' })
      expect(failure.message).toContain('Sandbox-Token')
    }
  })

  it.each([
    [404, /^404 is not a response of the sandbox: no sandbox is served/, /forwards every path/],
    [502, /^502 .* cannot reach the sandbox/, /is running/],
    [503, /^503 .* cannot reach the sandbox/, /is running/],
    [504, /^504 .* cannot reach the sandbox/, /is running/],
    [413, /^413 .* larger than a reverse proxy accepts/, /client_max_body_size/],
    [401, /^401 .* requires a sign-in/, /Sign in/],
    [522, /^522 .* a server between/, /log of the reverse proxy/],
    [200, /^200 .* does not have the content/, /sign-in page/],
  ])('throws a foreign failure for a page with the status %i', async (status, message, advice) => {
    const page = () =>
      new Response('<h1>nginx</h1>', { status, headers: { 'Content-Type': 'text/html' } })
    const client = new PageClient(control, access, async () => page())
    for (const request of [
      client.send('getOverview'),
      client.request('getSnapshot'),
      client.request('streamEvents'),
    ]) {
      await expect(request).rejects.toMatchObject({
        code: 'foreign_response',
        status,
        message: expect.stringMatching(message),
        advice: expect.stringMatching(advice),
      })
    }
  })
})
