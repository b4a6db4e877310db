import type { Socket } from 'node:net'
import { inParallel, toRawRequest, waitFor } from '../client.js'
import { defineTrial } from '../trial.js'

const bytes = 8 * 2 ** 20
const part = Buffer.alloc(2 ** 18, '[')

export const halfSentBodies = defineTrial({
  name: 'half-sent-bodies',
  title:
    'Clients at eight addresses send half of a body of 8 MiB on each of many connections, or what the server accepts of it, and then nothing more.',
  unit: 'uploads',
  attempts: { small: 300, full: 2_000 },
  async run(context) {
    const head = toRawRequest('PUT /sandbox/scenario', [
      'Authorization: Bearer sbx_free_default_halves',
      'Content-Type: application/json',
      `Content-Length: ${bytes}`,
    ])
    // The open uploads are the attack, not how fast they arrive.
    await inParallel(context.attempts, 8, context.ending, async (index) => {
      const socket = context.socket(`127.0.1.${1 + (index % 8)}`)
      socket.write(head)
      await sendHalf(socket)
      context.count()
    })
    await context.pause(1_000)
  },
})

/** Sends half of a body. Stops if the server responds, which rejects the body. */
async function sendHalf(socket: Socket): Promise<void> {
  let isRejected = false
  socket.once('data', () => {
    isRejected = true
  })
  for (let sent = 0; sent < bytes / 2 && !isRejected; sent += part.length) {
    if (socket.destroyed) return
    if (!socket.write(part)) await waitFor(socket, 'drain', 'data', 'end', 'close')
  }
}
