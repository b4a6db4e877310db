import assert from 'node:assert/strict'
import { test } from 'node:test'
import webpack from 'webpack'
import WebpackDevServer from 'webpack-dev-server'
import config from './webpack.config.js'

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

test('webpack-dev-server serves the sandbox below /petstore, and the page', async () => {
  const compiler = webpack({ ...config, infrastructureLogging: { level: 'error' }, stats: 'none' })
  const server = new WebpackDevServer(
    { ...config.devServer, host: '127.0.0.1', port: 'auto' },
    compiler,
  )
  await server.start()
  const url = `http://127.0.0.1:${server.server.address().port}`
  try {
    const update = { method: 'PATCH', headers, body: '{"quantity":5}' }
    const updated = await fetch(`${url}/petstore/v1/inventory/1`, update)
    assert.deepEqual(await updated.json(), { petId: 1, quantity: 5, status: 'available' })
    const pets = await (await fetch(`${url}/petstore/sandbox/pets`, { headers })).json()
    assert.equal(pets[0].quantity, 5)
    assert.match(await (await fetch(`${url}/main.js`)).text(), /petstore\/v1\/inventory/)
    assert.equal((await fetch(`${url}/petstore/other`)).status, 404)
    const stream = await fetch(`${url}/petstore/sandbox/events`, { headers })
    assert.equal(stream.status, 200)
  } finally {
    await server.stop()
    await new Promise((resolve) => compiler.close(resolve))
  }
})
