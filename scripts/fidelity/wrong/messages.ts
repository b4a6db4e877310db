import { unknownKey } from '../../../src/verify/request.js'
import {
  accept,
  acceptBodies,
  correctUrls,
  error,
  onMessage,
  onMessages,
  type Respond,
  replaceValue,
  type WrongService,
  wrongServiceKey,
} from './service.js'

/** Services whose sendMessage is wrong. */
export const wrongMessages: readonly WrongService[] = [
  {
    does: 'has no POST /messages',
    check: 'send-message.path',
    start: onMessages((response) =>
      response.status < 300 ? error(404, 'route_not_found') : response,
    ),
  },
  {
    does: 'has the quickstart example at the base address',
    check: 'send-message.path',
    urls: { quickstart: correctUrls.api },
    start: () => (request, next) =>
      next(
        request.url.endsWith('/messages')
          ? { ...request, url: `${correctUrls.quickstart}/messages` }
          : request,
      ),
  },
  {
    does: 'returns a message without an id',
    check: 'send-message.id',
    start: onMessage(({ id, ...message }) => message),
  },
  {
    does: 'returns a number as the id of a message',
    check: 'send-message.id',
    start: onMessage((message) => ({ ...message, id: 17 })),
  },
  {
    does: 'does not return the message',
    check: 'send-message.message',
    start: onMessage(({ message, ...others }) => others),
  },
  {
    does: 'returns the status sent',
    check: 'send-message.status',
    start: onMessage((message) => ({ ...message, status: 'sent' })),
  },
  {
    does: 'returns createdAt in seconds since 1970',
    check: 'send-message.created-at',
    start: onMessage((message) => ({ ...message, createdAt: 1_768_467_600 })),
  },
  {
    does: 'states the local time as createdAt',
    check: 'send-message.created-at',
    start: onCreatedAt((time) => new Date(Date.parse(time) + 3_600_000).toISOString()),
  },
  {
    does: 'states a createdAt of 1970',
    check: 'send-message.created-at',
    start: onMessage((message) => ({ ...message, createdAt: '1970-01-01T00:00:00Z' })),
  },
  {
    does: 'states createdAt as an HTTP date',
    check: 'send-message.created-at',
    start: onCreatedAt((time) => new Date(time).toUTCString()),
  },
  {
    does: 'states only the day of createdAt',
    check: 'send-message.created-at',
    start: onCreatedAt((time) => time.slice(0, 10)),
  },
  {
    does: 'accepts a message as text/plain',
    check: 'send-message.content-type',
    start: () => (request, next) =>
      next({
        ...request,
        headers: replaceValue(request.headers, 'text/plain', 'application/json'),
      }),
  },
  {
    does: 'accepts a message without a Content-Type',
    check: 'send-message.content-type',
    start: () => (request, next) =>
      next(
        request.method === 'POST'
          ? { ...request, headers: { 'Content-Type': 'application/json', ...request.headers } }
          : request,
      ),
  },
  ...acceptBodies('POST', '/messages', 'send-message.message-string', [
    ['accepts a number as the message', '{"message":5}', '{"message":"5"}'],
    ['accepts true as the message', '{"message":true}', '{"message":""}'],
    ['accepts null as the message', '{"message":null}', '{"message":""}'],
    ['accepts an array as the message', '{"message":[]}', '{"message":""}'],
    ['accepts an object as the message', '{"message":{}}', '{"message":""}'],
  ]),
  {
    does: 'accepts a message without a key',
    check: 'send-message.missing-key',
    start: accept('POST', '/messages', undefined),
  },
  {
    does: 'accepts a message with any key',
    check: 'send-message.invalid-key',
    start: accept('POST', '/messages', `Bearer ${unknownKey}`),
  },
  {
    does: 'accepts a message with a key without Bearer',
    check: 'send-message.bearer',
    start: accept('POST', '/messages', wrongServiceKey),
  },
  {
    does: 'accepts a message with a key in any scheme',
    check: 'send-message.bearer',
    start: accept('POST', '/messages', `Basic ${wrongServiceKey}`),
  },
  ...acceptBodies('POST', '/messages', 'send-message.invalid-json', [
    ['accepts invalid JSON', '{"message":', '{"message":""}'],
  ]),
  ...acceptBodies('POST', '/messages', 'send-message.missing-message', [
    ['accepts a body without a message', '{}', '{"message":""}'],
    ['accepts an array as the body', '[]', '{"message":""}'],
  ]),
]

function onCreatedAt(edit: (time: string) => string): () => Respond {
  return onMessage((message) => ({ ...message, createdAt: edit(String(message.createdAt)) }))
}
