import { beforeEach } from 'vitest'
import { httpMiddlewareTransport } from '../../support/transports.js'
import { describeService } from './service.js'

/**
 * Tests of connection faults. `createMiddleware` cannot close a connection: a network error and a body
 * that fails end the process (docs/recipes/express.md).
 */
const excluded: readonly string[] = [
  'a reset closes the connection before any response',
  'a truncation sends 0 of the body',
  'a truncation sends 0.25 of the body',
  'a truncation sends 0.5 of the body',
  'a truncation sends 0.99 of the body',
  'a reset after the operation applies the change and loses the response',
]

beforeEach(({ task, skip }) => skip(excluded.includes(task.name)))

describeService(httpMiddlewareTransport)
