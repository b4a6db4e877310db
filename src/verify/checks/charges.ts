import { type Check, expectThat } from '../check.js'
import { readRateLimit } from '../headers.js'
import { listInventory, toEntry } from '../inventory.js'
import type { CheckRequest, Exchange } from '../request.js'
import { isSuccess } from '../response.js'
import { type Session, Skip } from '../session.js'

/** What a request was charged, by its response and the previous one. */
interface Charge {
  /** The operation and the status, such as `PATCH /inventory 200`. */
  readonly kind: string
  readonly before: Exchange
  readonly after: Exchange
  readonly agrees: boolean
}

/** §8: what a request is charged. It examines all requests of the run, and is one of the last. */
export const chargeChecks: readonly Check[] = [
  {
    id: 'limits.counts-down',
    statement: '§8 X-RateLimit-Remaining | Requests left in the current window',
    prepare: sendPairs,
    run({ exchanges }) {
      const charges = exchanges.flatMap((after, at) => readCharge(exchanges[at - 1], after) ?? [])
      if (charges.length === 0) throw new Skip('no two responses are of the same window')
      // Another client may have used the key between two requests, but not between most of them.
      return [...new Set(charges.map(({ kind }) => kind))].flatMap((kind) => {
        const all = charges.filter((charge) => charge.kind === kind)
        const deviating = all.filter(({ agrees }) => !agrees)
        const [first] = deviating
        if (!first || deviating.length < 2 || deviating.length <= all.length / 2) return []
        const { before, after } = first
        const actual = `${readRemaining(before)}, then ${readRemaining(after)} for ${kind}`
        return expectThat(false, 'one less with each request', actual, before, after)
      })
    },
  },
]

/** Sends each request that reads until two responses in a row agree, at most four times. */
async function sendPairs({ observe, send }: Session): Promise<void> {
  const { json } = await observe(listInventory)
  const pet = Array.isArray(json) ? toEntry(json[0]) : undefined
  const paths = [listInventory.path, ...(pet ? [`/pets/${pet.petId}`] : []), '/store/orders']
  for (const path of paths) {
    let before = await send({ path })
    for (let sent = 1; sent < 4; sent++) {
      const after = await send({ path })
      if (readCharge(before, after)?.agrees) break
      before = after
    }
  }
}

/**
 * Returns what a request was charged; undefined if that is unknown. Whether a rejected request is
 * charged is not shown, and each operation may have a limit of its own.
 */
function readCharge(before: Exchange | undefined, after: Exchange): Charge | undefined {
  const operation = toOperation(after.request)
  if (!before || operation === undefined || after.status === 429) return undefined
  if (toOperation(before.request) !== operation) return undefined
  const [first, second] = [readRateLimit(before), readRateLimit(after)]
  if (!first || !second) return undefined
  if (first.resetSeconds !== second.resetSeconds || first.limit !== second.limit) return undefined
  const charged = first.remaining - second.remaining
  const agrees = charged === 1 || (charged === 0 && !isSuccess(after))
  return { kind: `${operation} ${after.status}`, before, after, agrees }
}

/** Returns the operation that a key is charged for; undefined for requests without the own key. */
function toOperation(request: CheckRequest): string | undefined {
  const { address = 'api', method = 'GET', path, credential = 'own' } = request
  if (address !== 'api' || credential !== 'own') return undefined
  return `${method} ${/^\/\w+/.exec(path)?.[0]}`
}

function readRemaining(exchange: Exchange): string {
  return exchange.headers.get('x-ratelimit-remaining') ?? 'none'
}
