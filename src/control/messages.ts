import { z } from 'zod'
import { messageSchema } from '../contract/schemas.js'
import { defineControl, defineResource } from './operation.js'

export const messages = defineResource({
  title: 'Messages',
  description: 'The queued messages, which no operation of the service returns.',
  operations: {
    listMessages: defineControl({
      method: 'GET',
      path: '/messages',
      summary: 'List the queued messages, oldest first',
      description:
        'Lists the messages that sendMessage queued. A world retains the newest 1,000, and at most 4 MiB of them.',
      response: {
        description: 'One entry per message.',
        body: {
          schema: z.array(messageSchema),
          example: [
            {
              id: 'msg_4fQ2mT8xK1vZ7cR9bN3wL6pS',
              message: 'Hello, pets!',
              status: 'queued',
              createdAt: '2026-01-01T09:00:00.000Z',
            },
          ],
        },
      },
      run: ({ world }) => world.db.messages(),
    }),
  },
})
