import { expect, test } from 'vitest'
import { startServe } from './bin-support.js'
import { until } from './support.js'

const headers = { Authorization: 'Bearer sbx_enterprise' }

/** Starts the server, and stops reading its output after the first line. */
async function startUnread() {
  const { child, written, ended, url } = await startServe(['--notice', '0'])
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
  return { child, written, ended, send }
}

test('serve responds while nobody reads its output, and then reports the dropped lines', async () => {
  const { child, written, send } = await startUnread()
  await send(4_000)
  child.stdout?.resume()
  let sent = 4_000
  // The note comes before the first line after the output has drained.
  await until(async () => {
    await send(50)
    sent += 50
    return written.stdout.includes('dropped')
  })
  const [, count] =
    /"(\d+) lines dropped because nobody read the output"/.exec(written.stdout) ?? []
  const countRequests = () => written.stdout.split('"event":"request"').length - 1
  await until(() => countRequests() + Number(count) === sent)
  expect(written.stdout.split('dropped')).toHaveLength(2)
  // 1 MiB in the process, the rest in the pipe; without the limit, it would be 5 MB.
  expect(written.stdout.length).toBeLessThan(2_097_152)
})

test('serve exits with 0 after SIGTERM while nobody reads its output', async () => {
  const { child, ended, send } = await startUnread()
  await send(1_000)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
