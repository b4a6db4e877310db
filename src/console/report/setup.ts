import type { CoverageCell } from '../../report/report.js'
import type { OperationId } from '../../service/operations/operations.js'
import type { Overview } from '../control-types.js'
import type { PageClient } from '../session/client.js'

/** One step after which the next request of the operation meets a combination. */
export interface Setup {
  readonly label: string
  /** The notice after a success. */
  readonly done: string
  run(client: PageClient): Promise<unknown>
}

/** Returns the step for a combination. Undefined if there is none that does not restart the world. */
export function findSetup(
  cell: CoverageCell,
  overview: Pick<Overview, 'deprecation'>,
): Setup | undefined {
  const { status, limiter, sunset } = cell
  if (sunset === 'after') return toSunset(cell, overview)
  if (limiter === 'last') return lastRequest
  if (limiter === 'exhausted') return exhausted
  if (limiter === 'banned') return banned
  if (status < 400) return undefined
  const operation = cell.operation as OperationId // a report names operations of the service
  return {
    label: `Fail the next ${operation} with ${status}`,
    done: `The next ${operation} request receives ${status}.`,
    run: (client) =>
      client.send('addFault', { body: { type: 'status', status, operation, atMost: 1 } }),
  }
}

const lastRequest: Setup = {
  label: 'Leave one request',
  done: 'One request remains in the minute window.',
  run: (client) => client.send('changeQuota', { body: { minute: { remaining: 1 }, ban: null } }),
}

const exhausted: Setup = {
  label: 'Exhaust the minute',
  done: 'The minute window is exhausted.',
  run: (client) => client.send('changeQuota', { body: { minute: { remaining: 0 }, ban: null } }),
}

const banned: Setup = {
  label: 'Ban the key for 5 min',
  done: 'The key is banned for 5 minutes.',
  run: (client) => client.send('changeQuota', { body: { ban: { seconds: 300 } } }),
}

function toSunset(
  { status }: CoverageCell,
  { deprecation }: Pick<Overview, 'deprecation'>,
): Setup | undefined {
  const { afterSunset, sunsetAt } = deprecation
  if ((afterSunset === 'serve') !== status < 400) return undefined
  return {
    label: 'Move the clock to the sunset',
    done: 'The sunset has passed on the clock of the world.',
    run: (client) => client.send('changeClock', { body: { now: sunsetAt } }),
  }
}
