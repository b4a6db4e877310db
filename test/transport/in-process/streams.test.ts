import { expect, onTestFinished, test, vi } from 'vitest'
import { JsonChunks } from '../../../src/engine/json-chunks.js'
import { createSandbox } from '../../../src/index.js'
import { LazyList } from '../../../src/service/lazy-list.js'
import type { Pet } from '../../../src/service/schemas.js'
import { recordEntry } from '../../support/record-entry.js'

const controlUrl = 'https://api.petstore.example/sandbox'
const headers = { Authorization: 'Bearer sbx_free' }

/** Opens a sandbox whose list of pets is 10 MiB long, and counts the converted pets. */
async function openLarge() {
  const sandbox = await createSandbox()
  const ids = Array.from({ length: 10_000 }, (_, at) => String(at))
  let converted = 0
  const toPet = (petId: string): Pet => {
    converted += 1
    const name = 'x'.repeat(1_000)
    return {
      petId,
      name,
      quantity: 1,
      status: 'available',
      category: 'dog',
      photoUrls: [],
      tags: [],
    }
  }
  vi.spyOn(sandbox.world.db, 'iteratePets').mockImplementation(() => LazyList.from(ids, toPet))
  return { sandbox, countConverted: () => converted }
}

/** Number of pets in a chunk of 64 KiB. */
const perChunk = 60

test('fetch serializes a large body as it is read', async () => {
  const { sandbox, countConverted } = await openLarge()
  const response = await sandbox.fetch(`${controlUrl}/pets`, { headers })
  expect(countConverted()).toBeLessThan(2 * perChunk)
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.read()
  expect(countConverted()).toBeLessThan(4 * perChunk)
})

test('the rest of a large body is not serialized after its reader cancels it', async () => {
  const { sandbox, countConverted } = await openLarge()
  const response = await sandbox.fetch(`${controlUrl}/pets`, { headers })
  const closed = vi.spyOn(JsonChunks.prototype, 'close')
  onTestFinished(() => closed.mockRestore())
  await response.body?.cancel()
  expect(closed).toHaveBeenCalledOnce()
  expect(countConverted()).toBeLessThan(2 * perChunk)
})

test('reading a large body rejects with the reason of the signal when it is aborted', async () => {
  const { sandbox, countConverted } = await openLarge()
  const controller = new AbortController()
  const init = { headers, signal: controller.signal }
  const response = await sandbox.fetch(`${controlUrl}/pets`, init)
  const reason = new Error('the user left the page')
  controller.abort(reason)
  await expect(response.text()).rejects.toBe(reason)
  expect(countConverted()).toBeLessThan(2 * perChunk)
})

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

test('without the limit, unread events accumulate', async () => {
  const { world, send } = await openEvents()
  let unread = 0
  new ReadableStream<Uint8Array>(
    {
      start(controller) {
        world.events.open(
          {
            send(chunk) {
              controller.enqueue(chunk)
              unread = -(controller.desiredSize ?? 0)
            },
            end: () => controller.close(),
          },
          (entry) => entry,
        )
      },
    },
    { highWaterMark: 0, size: ({ byteLength }) => byteLength },
  )
  for (let count = 0; count < 100; count++) send()
  expect(unread).toBeGreaterThan(5_000_000)
})
