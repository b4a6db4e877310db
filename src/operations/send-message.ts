import { JsonText } from '../contract/json-text.js'
import { messageRequestSchema } from '../contract/schemas.js'
import { defineBehaviour } from './behaviour.js'

/** Queues a message (spec §4.4); `queued` means that it was only queued. */
export const sendMessage = defineBehaviour<{ message: string }>({
  body: () => messageRequestSchema,
  run({ world, body }) {
    const message = {
      id: `msg_${world.random.nextString(24)}`,
      message: body.message,
      status: 'queued',
      createdAt: new Date(world.clock.now()).toISOString(),
    } as const
    return {
      status: world.rules.messageStatus,
      body: JsonText.of(message),
      changes: [{ type: 'message.queued', message }],
    }
  },
})
