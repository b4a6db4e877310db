import { type ControlRequest, defineControl, type EventStream } from './control-operation.js'
import { toRequest } from './requests.js'

export const streamEvents = defineControl({
  method: 'GET',
  path: '/events',
  resource: 'Requests',
  summary: 'Watch the calls that reach the world, live, as server-sent events',
  run: ({ world }: ControlRequest): EventStream => {
    return (send) => {
      send(': the calls that reach this world, as they are answered\n\n')
      return world.journal.subscribe((entry) => {
        const data = JSON.stringify(toRequest(entry))
        send(`id: ${entry.id}\nevent: request\ndata: ${data}\n\n`)
      })
    }
  },
})
