import * as z from 'zod/mini'
import { messageSchema, recordModels } from '../service/schemas.js'
import { hidesDetails } from './access.js'
import type { ControlledSandbox, ControlResource } from './operation.js'
import { defineList } from './page.js'
import type { World } from './world.js'

export const messages = {
  title: 'Messages',
  description: 'The queued messages, which no operation of the service returns.',
  operations: {
    listMessages: defineList({
      idField: 'id',
      columns: ['id', 'createdAt', 'message'],
      path: '/messages',
      summary: 'List the queued messages, oldest first',
      description:
        'Lists the messages that sendMessage queued. A world retains the newest 1,000, and at most 4 MiB of them. A sandbox with a key secret shows the messages of a shared world without their text.',
      response: {
        description: 'One entry per message.',
        body: {
          schema: z.array(messageSchema),
          example: [recordModels.messages.example],
        },
      },
      records: ({ world, sandbox }) => world.db.messages.list().map(toShownMessage(sandbox, world)),
    }),
  },
} satisfies ControlResource

/** Returns a function that removes the text of a message if the world hides such details. */
export function toShownMessage(
  { access }: ControlledSandbox,
  world: World,
): <Shown extends { readonly message: string }>(message: Shown) => Shown {
  if (!hidesDetails(access, world)) return (message) => message
  return (message) => ({ ...message, message: '…' })
}
