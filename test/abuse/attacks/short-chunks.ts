import { toRawRequest, waitFor, waitForResponse } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const mebibytes = { small: 1, full: 8 }
const perWrite = 8_192

export const shortChunks = defineTrial({
  name: 'short-chunks',
  title: 'One client uploads a scenario of 8 MiB, in CI of 1 MiB, in chunks of one byte.',
  unit: 'uploads',
  attempts: { small: 1, full: 3 },
  isComplete: true,
  async run(context) {
    const head = toRawRequest('PUT /sandbox/scenario', [
      'Authorization: Bearer sbx_free_default_chunks',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ])
    const bytes = mebibytes[context.size] * 2 ** 20
    const part = '1\r\n[\r\n'.repeat(perWrite)
    for (let made = 0; made < context.attempts; made++) {
      const socket = context.socket(addresses.attacker).resume()
      socket.write(head)
      for (let sent = 0; sent < bytes && !socket.destroyed; sent += perWrite) {
        if (!socket.write(part)) await waitFor(socket, 'drain', 'close')
      }
      socket.write('0\r\n\r\n')
      context.count()
      if (!socket.destroyed) await waitForResponse(socket)
    }
  },
})
