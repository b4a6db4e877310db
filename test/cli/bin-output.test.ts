import { expect, test } from 'vitest'
import { startServe } from './bin-support.js'

const headers = { Authorization: 'Bearer sbx_enterprise' }

/** Starts the server, and stops reading its output after the first line. */
async function startUnread() {
  const { child, ended, url } = await startServe(['--notice', '0'])
  child.stdout?.pause()
  /** Sends requests whose log lines have more than 1,000 characters. */
  const send = async (count: number) => {
    const long = `${url}/v1/${'x'.repeat(1_000)}`
    for (let sent = 0; sent < count; sent += 50) {
      const responses = Array.from({ length: 50 }, () => fetch(long, { headers }))
      for (const response of await Promise.all(responses)) {
        expect(response.status).toBe(404)
        await response.arrayBuffer()
      }
    }
  }
  return { child, ended, send }
}

test('serve exits with 0 after SIGTERM while nobody reads its output', async () => {
  const { child, ended, send } = await startUnread()
  await send(1_000)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
