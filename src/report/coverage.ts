import { documentedStatuses, type Operation } from '../service/operations/operation.js'
import { type OperationId, operationIds, operations } from '../service/operations/operations.js'
import type { RequestFact } from '../world/journal/facts.js'
import { describeWays, selectWays, type Way } from './how-to.js'
import type { CoverageCell, LimiterState, Report } from './report.js'

/** A combination that a client can meet, and the ways to produce it. */
export interface Cell extends Omit<CoverageCell, 'count' | 'howTo'> {
  readonly operation: OperationId
  readonly ways: readonly Way[]
}

/**
 * Returns every combination of an operation, a documented status and the state of the service: a
 * successful response with requests left and with the last one, 429 with an exhausted window and with a
 * ban, and each other error once. Success and 410 have combinations before and after the sunset.
 *
 * @param messageStatus Status of a successful sendMessage response (A10).
 */
export function listCells(messageStatus: number): Cell[] {
  return operationIds.flatMap((operation) =>
    toCells(operation, operations[operation], messageStatus),
  )
}

function toCells(id: OperationId, operation: Operation, messageStatus: number): Cell[] {
  const { status: documented = 200 } = operation.response
  const success = id === 'sendMessage' ? messageStatus : documented
  const statuses = documentedStatuses(operation).map((each) =>
    each === documented ? success : each,
  )
  return statuses.flatMap((status) =>
    selectStates(status, status === success, operation.deprecated === true).map((state) => {
      const cell = { operation: id, status, ...state }
      return { ...cell, ways: selectWays(cell) }
    }),
  )
}

type State = Pick<CoverageCell, 'limiter' | 'sunset'>

function selectStates(status: number, isSuccess: boolean, isDeprecated: boolean): State[] {
  const sunset = isDeprecated ? 'before' : null
  if (isSuccess) {
    const states: State[] = [
      { limiter: 'fresh', sunset },
      { limiter: 'last', sunset },
    ]
    return isDeprecated ? [...states, { limiter: 'fresh', sunset: 'after' }] : states
  }
  if (status === 410) return [{ limiter: 'fresh', sunset: 'after' }]
  const limiters: LimiterState[] = status === 429 ? ['exhausted', 'banned'] : ['fresh']
  return limiters.map((limiter) => ({ limiter, sunset: null }))
}

/** Counts the responses of each combination. */
export class CoverageCounter {
  readonly #cells: readonly Cell[]
  readonly #messageStatus: number
  /** Number of responses of each combination, with and without its sunset. */
  readonly #counts = new Map<string, number>()

  constructor(messageStatus: number) {
    this.#cells = listCells(messageStatus)
    this.#messageStatus = messageStatus
  }

  /** @param messageStatus Status of a successful sendMessage response in the world of the request. */
  add(request: RequestFact, messageStatus: number): void {
    const { operation, traits } = request
    const isMet = operation !== undefined && !traits.userHandled && request.status !== 0
    if (!isMet || traits.lost) return
    const isMessage = operation === 'sendMessage' && request.status === messageStatus
    const status = isMessage ? this.#messageStatus : request.status
    const limiter = findLimiterState(request)
    this.#count(toKey(operation, status, limiter, null))
    if (!traits.deprecated) return
    this.#count(toKey(operation, status, limiter, traits.afterSunset ? 'after' : 'before'))
  }

  #count(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  toCoverage(): Report['coverage'] {
    const cells = this.#cells.map(({ ways, ...cell }) => {
      const { operation, status, limiter, sunset } = cell
      const count = this.#counts.get(toKey(operation, status, limiter, sunset)) ?? 0
      return { ...cell, count, howTo: describeWays(operation, ways) }
    })
    const met = cells.filter(({ count }) => count > 0).length
    return { met, possible: cells.length, cells }
  }
}

function toKey(operation: string, status: number, limiter: string, sunset: string | null): string {
  return `${operation} ${status} ${limiter} ${sunset}`
}

function findLimiterState({ status, code, remaining, traits }: RequestFact): LimiterState {
  if (status === 429) return code === 'api_key_banned' ? 'banned' : 'exhausted'
  // Other errors are counted regardless of the limiter.
  if (status >= 400) return 'fresh'
  return traits.metered && remaining === 0 ? 'last' : 'fresh'
}
