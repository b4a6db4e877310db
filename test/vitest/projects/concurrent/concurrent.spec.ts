import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

const numbers = Array.from({ length: 300 }, (_, number) => number)

let started = 0
let open = () => {}
const allStarted = new Promise<void>((resolve) => {
  open = resolve
})

// Each test waits until all have started, so that 300 worlds exist at the same time.
test.concurrent.for(numbers)('has its own world (%i)', async (number, { sandbox }) => {
  started += 1
  if (started === numbers.length) open()
  await allStarted
  const headers = { ...sandbox.headers, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ quantity: number })
  await fetch(`${sandbox.baseUrl}/inventory/1`, { method: 'PATCH', headers, body })
  expect(sandbox.world.db.pets.find('1')?.quantity).toBe(number)
  expect(sandbox.world.requests.count()).toBe(1)
})
