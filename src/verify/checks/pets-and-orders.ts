import { type Check, expectResponse, expectThat, respondsWith, toSkip } from '../check.js'
import { isInRange, parseDeprecation, parseHttpDate, past } from '../headers.js'
import { pickEntry } from '../inventory.js'
import type { Exchange } from '../request.js'
import { isUnrouted } from '../response.js'
import type { Session } from '../session.js'

const others = ['§1 The service also has pet and store-order operations.']
const deprecated = '§9 `GET /pets/{petId}` is deprecated and has a sunset date.'

/** §4.3, and the deprecated operation of §9. */
export const petAndOrderChecks: readonly Check[] = [
  {
    id: 'get-pet.path',
    statement: '§4.3 `GET /pets/{petId}`: deprecated, with a sunset date (see section 9).',
    restated: others,
    async run(session) {
      const exchange = await getPet(session)
      const sunset = parseHttpDate(exchange.headers.get('sunset'))
      const isSunset = sunset === undefined || isInRange(sunset, exchange, past) !== false
      const isMet = exchange.status === 200 || (exchange.status === 410 && isSunset)
      return expectResponse(exchange, isMet, 'status 200, or 410 after the sunset')
    },
  },
  {
    id: 'get-pet.deprecation',
    statement: deprecated,
    async run(session) {
      const exchange = await getFoundPet(session)
      const value = exchange.headers.get('deprecation') ?? 'none'
      const since = parseDeprecation(value)
      const isPast = since !== undefined && isInRange(since, exchange, past) !== false
      const expected = 'a Deprecation header (RFC 9745) that is not in the future'
      return expectThat(value === 'true' || isPast, expected, value, exchange)
    },
  },
  {
    id: 'get-pet.sunset',
    statement: deprecated,
    async run(session) {
      const exchange = await getFoundPet(session)
      const value = exchange.headers.get('sunset') ?? 'none'
      const isDate = parseHttpDate(value) !== undefined
      return expectThat(isDate, 'a Sunset header with an HTTP date (RFC 8594)', value, exchange)
    },
  },
  {
    id: 'list-orders.path',
    statement: '§4.3 `GET /store/orders`.',
    restated: others,
    run: respondsWith(200, { path: '/store/orders' }),
  },
]

async function getPet(session: Session): Promise<Exchange> {
  const { petId } = await pickEntry(session)
  return session.observe({ path: `/pets/${petId}` })
}

/** @throws {Skip} If there is no such operation, which `get-pet.path` reports. */
async function getFoundPet(session: Session): Promise<Exchange> {
  const exchange = await getPet(session)
  if (isUnrouted(exchange)) throw toSkip('getPet', exchange)
  return exchange
}
