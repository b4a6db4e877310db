import { JsonText } from '../json-text.js'
import { messageRequestSchema, queuedMessageSchema, recordModels } from '../schemas.js'
import { toTimestamp } from '../timestamp.js'
import type { Operation } from './operation.js'

const sent = '`rules.messageStatus` of the scenario (A10)'

/** Queues a message (spec §4.4). Its status is always `queued`: no message is delivered. */
export const sendMessage: Operation<{ message: string }> = {
  method: 'POST',
  path: '/messages',
  addresses: ['quickstart'],
  resource: 'Messages',
  section: '4.4',
  summary: 'Send a message',
  description: 'Queues a message. The quickstart uses this operation.',
  request: {
    name: 'MessageRequest',
    schema: messageRequestSchema,
    example: { message: 'Hello, pets!' },
  },
  response: {
    description: 'The queued message.',
    otherStatuses: { 201: `If ${sent} is 201.`, 202: `If ${sent} is 202.` },
    body: {
      name: 'Message',
      schema: queuedMessageSchema,
      example: recordModels.messages.example,
    },
  },
  errorMessages: {
    invalid_json: 'the body must be JSON, found "{\\"message\\":" (string)',
    missing_field: 'message is missing, wanted a string',
    invalid_field: 'message must be a string, found 5 (number)',
  },
  assumptions: ['A10', 'A11', 'A12', 'A14', 'A20', 'A23'],
  bodySchema: () => messageRequestSchema,
  run({ world, body }) {
    const message = {
      id: `msg_${world.random.nextString(24)}`,
      message: body.message,
      status: 'queued',
      createdAt: toTimestamp(world.clock.now()),
    } as const
    return {
      status: world.rules.messageStatus,
      body: JsonText.of(message),
      changes: [{ type: 'message.queued', message }],
    }
  },
}
