import { createServer } from 'node:http'
import { test } from 'petstore-sandbox/vitest'
import { expect, onTestFinished } from 'vitest'

test.override({ onUnhandledRequest: 'warn' })

test('a request to another server', async ({ sandbox }) => {
  expect(sandbox.baseUrl).toBeDefined()
  const server = createServer((_, response) => response.end('elsewhere'))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const response = await fetch(`http://localhost:${port}/pets/7`)
  expect(await response.text()).toBe('elsewhere')
})
