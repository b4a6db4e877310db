import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

const startMs = Date.parse('2026-01-15T10:00:00Z')

/** Creates a sandbox whose real time advances by a millisecond on each reading. */
async function openTicking() {
  let readings = 0
  const sandbox = await createSandbox({ now: () => startMs + readings++ })
  return (body: object) =>
    sandbox.fetch('https://api.petstore.example/sandbox/clock', {
      method: 'PATCH',
      headers: { authorization: 'Bearer sbx_free', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
}

test.each([
  [{ now: '2030-01-01T00:00:00Z' }, '2030-01-01T00:00:00.000Z'],
  [{ advanceTo: 'next-event' }, '2026-04-15T00:00:00.000Z'],
])('changeClock with %j stops the clock exactly there', async (change, now) => {
  const changeClock = await openTicking()
  const response = await changeClock({ ...change, frozen: true })
  expect(await response.json()).toMatchObject({ now, frozen: true })
})

test('changeClock with an invalid time does not stop the clock', async () => {
  const changeClock = await openTicking()
  expect((await changeClock({ advance: 'P9999999D', frozen: true })).status).toBe(400)
  expect(await (await changeClock({})).json()).toMatchObject({ frozen: false })
})
