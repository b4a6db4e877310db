import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { recordEntry } from '../../support/record-entry.js'

const controlUrl = 'https://api.petstore.example/sandbox'
const headers = { Authorization: 'Bearer sbx_free' }

/** Opens a sandbox, and returns a function that sends an event of 50 KiB to its streams. */
async function openEvents() {
  const sandbox = await createSandbox()
  const { world } = sandbox
  await sandbox.fetch('https://api.petstore.example/v1/inventory', { headers })
  const [{ id: _, ...entry } = fail()] = world.requests.find()
  const open = async () => {
    const { body } = await sandbox.fetch(`${controlUrl}/events`, { headers })
    return body?.getReader() ?? fail()
  }
  const send = () => recordEntry(world.journal, { ...entry, requestBody: 'x'.repeat(51_200) })
  return { world, open, send }
}

function fail(): never {
  throw new Error('expected a journal entry and a stream')
}

test('an event stream with more than 1 MiB of unread events fails, and others continue', async () => {
  const { open, send } = await openEvents()
  const [slow, fast] = [await open(), await open()]
  await fast.read()
  const sendMany = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      send()
      await fast.read()
    }
  }
  await sendMany(10)
  expect((await slow.read()).done).toBe(false)
  await sendMany(15)
  await expect(slow.read()).rejects.toThrow('more than 1048576 unread bytes')
  send()
  expect((await fast.read()).value?.byteLength).toBeGreaterThan(51_200)
  await fast.cancel()
})
