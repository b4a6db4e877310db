import { expect, test } from 'vitest'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { addresses } from '../../src/service/addresses.js'
import { MemoryStore } from '../support/memory-store.js'

const list = (sandbox: InProcessSandbox) =>
  sandbox.fetch(`${addresses.api.url}/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })

test('a replica that reads slowly reads once what others have stored meanwhile', async () => {
  const store = new MemoryStore(false)
  const [first, second] = [await createSandbox({ store }), await createSandbox({ store })]
  const ids: number[] = []
  first.world.journal.subscribe(({ id }) => ids.push(id))
  await list(second)
  await expect.poll(() => ids).toEqual([1])
  await first.save()
  let reads = 0
  let proceed = () => {}
  const reading = new Promise<void>((resolve) => (proceed = resolve))
  store.onAccess = async (method) => {
    if (method !== 'readSince') return
    reads += 1
    await reading
  }
  for (let sent = 0; sent < 20; sent++) await list(second)
  proceed()
  await first.save()
  expect(ids).toEqual(Array.from({ length: 21 }, (_, at) => at + 1))
  expect(reads).toBeLessThan(10)
})
