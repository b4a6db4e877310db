import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

/** Starts a server on a free port. Returns its URL, a function that ends it, and its exit code. */
async function start(file) {
  const child = spawn(process.execPath, [file], {
    cwd: import.meta.dirname,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(createInterface(child.stdout), 'line')
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const stop = () => {
    child.kill('SIGTERM')
    return exited
  }
  return { url, stop, exited }
}

for (const file of ['server.js', 'handlers.js']) {
  test(`${file} serves the sandbox below /petstore, and the shop`, async () => {
    const { url, stop } = await start(file)
    try {
      const root = `${url}/petstore`
      const update = { method: 'PATCH', headers, body: '{"quantity":5}' }
      const updated = await fetch(`${root}/v1/inventory/1`, update)
      assert.deepEqual(await updated.json(), { petId: 1, quantity: 5, status: 'available' })
      assert.equal(updated.headers.get('X-RateLimit-Remaining'), '59')
      const pets = await (await fetch(`${root}/sandbox/pets`, { headers })).json()
      assert.equal(pets[0].quantity, 5)
      const message = { method: 'POST', headers, body: '{"message":"Hello"}' }
      const sent = await (await fetch(`${root}/quickstart/messages`, message)).json()
      assert.equal(sent.message, 'Hello')
      assert.equal((await fetch(`${root}/v1/nowhere`, { headers })).status, 404)
      assert.match(await (await fetch(url)).text(), /^My shop/)
    } finally {
      await stop()
    }
  })
}

test('server.js serves the console, and ends with an open event stream', async () => {
  const { url, stop } = await start('server.js')
  assert.match(await (await fetch(`${url}/petstore/`)).text(), /<html/)
  const stream = await fetch(`${url}/petstore/sandbox/events`, { headers })
  assert.equal(stream.status, 200)
  assert.equal(await stop(), 0)
})

test('handlers.js also serves the handler of the shop', async () => {
  const { url, stop } = await start('handlers.js')
  const response = await fetch(`${url}/petstore/recommendations`)
  assert.deepEqual(await response.json(), [{ petId: 1 }])
  await stop()
})

test('a connection fault ends the process of handlers.js', async () => {
  const { url, exited } = await start('handlers.js')
  const fault = { method: 'POST', headers, body: '{"type":"reset"}' }
  assert.equal((await fetch(`${url}/petstore/sandbox/faults`, fault)).status, 201)
  await assert.rejects(fetch(`${url}/petstore/v1/inventory`, { headers }))
  assert.equal(await exited, 1)
})
