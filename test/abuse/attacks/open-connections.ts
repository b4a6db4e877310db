import { toRawRequest } from '../client.js'
import { defineTrial, type Trial } from '../trial.js'

export const openConnections = defineConnections(
  'open-connections',
  'Connections from 20 addresses stay open: a third of them idle, a third with headers that arrive one line a second, and a third with uploads that stall.',
  20,
)

export const openConnectionsOfOneClient = defineConnections(
  'open-connections-of-one-client',
  'Connections from one address stay open: a third of them idle, a third with headers that arrive one line a second, and a third with uploads that stall.',
  1,
)

const upload = Buffer.concat([
  toRawRequest('PATCH /v1/inventory/1', [
    'Authorization: Bearer sbx_free_default_connections',
    'Content-Type: application/json',
    'Content-Length: 1000',
  ]),
  Buffer.from('{"quan'),
])
const slow = Buffer.from('GET /v1/inventory HTTP/1.1\r\nHost: 127.0.0.1\r\n')

function defineConnections(name: string, title: string, sources: number): Trial {
  return defineTrial({
    name,
    title,
    unit: 'connections',
    attempts: { small: 5_000, full: 5_000 },
    healthMs: 100,
    async run(context) {
      const sockets = []
      for (let index = 0; index < context.attempts && !context.ending.aborted; index++) {
        const socket = context.socket(`127.0.2.${1 + (index % sources)}`).resume()
        if (index % 3 === 1) socket.write(slow)
        else if (index % 3 === 2) socket.write(upload)
        sockets.push(socket)
        context.count()
        // At most 2,000 a second open or close: open connections are the attack, not their rate.
        if (index % 20 === 0) await context.pause(10)
      }
      for (let second = 0; second < 3 && !context.ending.aborted; second++) {
        for (let index = 1; index < sockets.length; index += 3) {
          sockets[index]?.write(`X-Line-${second}: a\r\n`)
        }
        await context.pause(1_000)
      }
      const open = sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open')
      for (const [index, socket] of sockets.entries()) {
        socket.destroy()
        if (index % 20 === 0) await context.pause(10)
      }
      context.note(`${open.length} of ${sockets.length} connections were still open at the end.`)
    },
  })
}
