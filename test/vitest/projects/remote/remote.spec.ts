import { connect } from 'petstore-sandbox/connect'
import { createSandbox } from 'petstore-sandbox/node'
import { expect, test } from 'vitest'
import 'petstore-sandbox/vitest'

const { fetch } = await createSandbox()
const url = 'https://api.petstore.example'
const world = await connect({ url, apiKey: 'sbx_free', fetch })

test('an assertion that is awaited', async () => {
  await expect(world).not.toHaveReceived('getPet')
  await expect(expect(world).toHaveReceived('getPet')).rejects.toThrow('but it did not')
  expect.soft(await world.requests.count()).toBe(0)
})

test('a true assertion that is not awaited', () => {
  expect(world).not.toHaveReceived('getPet')
})

test('a false assertion that is not awaited', async () => {
  expect(world).toHaveReceived('getPet')
})

test.concurrent('a false assertion in a concurrent test', async ({ expect }) => {
  expect(world).toHaveReceivedInOrder(['getPet'])
})

test('a false soft assertion', async () => {
  await expect.soft(world).toHaveReceived('listOrders')
})
