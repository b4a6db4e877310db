import { z } from 'zod'
import { messageSchema } from '../contract/schemas.js'
import { defineControl } from './control-operation.js'

export const listMessages = defineControl({
  method: 'GET',
  path: '/messages',
  resource: 'Data',
  summary: 'List the messages that were queued, the oldest first',
  response: z.array(messageSchema),
  run: ({ world }) => world.db.messages(),
})
