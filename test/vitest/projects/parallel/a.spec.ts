import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

// Two files contain the same tests and run at the same time.
test.override({ scenario: 'nearly-limited' })

test.for([1, 2, 3])('uses the last request of the minute window (%i)', async (_, { sandbox }) => {
  const send = () => fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
  expect((await send()).status).toBe(200)
  expect((await send()).status).toBe(429)
  expect(sandbox.world.requests.count()).toBe(2)
})
