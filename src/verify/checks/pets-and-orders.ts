import type { Check, CheckClient, Exchange } from '../check.js'
import { describeResponse, expectStatus, expectThat, isUnrouted, toSkip } from '../deviation.js'
import { pickEntry } from '../inventory.js'
import { isInRange, past, readHttpDate } from '../time.js'

const deprecated = {
  section: '9',
  sentence: '`GET /pets/{petId}` is deprecated and has a sunset date.',
}

/** §4.3, and the deprecated operation of §9. */
export const petAndOrderChecks: readonly Check[] = [
  {
    id: 'get-pet.path',
    section: '4.3',
    sentence: '`GET /pets/{petId}`: deprecated, with a sunset date (see section 9).',
    restated: [{ section: '1', sentence: 'The service also has pet and store-order operations.' }],
    requests: 2,
    async run(client) {
      const exchange = await getPet(client)
      const sunset = readHttpDate(exchange.headers.get('sunset') ?? '')
      const isSunset = sunset === undefined || isInRange(sunset, exchange, past) !== false
      const isMet = exchange.status === 200 || (exchange.status === 410 && isSunset)
      const expected = 'status 200, or 410 after the sunset'
      return expectThat(isMet, expected, describeResponse(exchange), exchange)
    },
  },
  {
    id: 'get-pet.deprecation',
    ...deprecated,
    requests: 2,
    async run(client) {
      const exchange = await getFoundPet(client)
      const value = exchange.headers.get('deprecation') ?? 'none'
      const [, seconds] = /^@(\d+)$/.exec(value) ?? []
      const since = seconds === undefined ? readHttpDate(value) : Number(seconds)
      const isPast = since !== undefined && isInRange(since, exchange, past) !== false
      const expected = 'a Deprecation header (RFC 9745) that is not in the future'
      return expectThat(value === 'true' || isPast, expected, value, exchange)
    },
  },
  {
    id: 'get-pet.sunset',
    ...deprecated,
    requests: 2,
    async run(client) {
      const exchange = await getFoundPet(client)
      const value = exchange.headers.get('sunset')
      const expected = 'a Sunset header with an HTTP date (RFC 8594)'
      return expectThat(
        readHttpDate(value ?? '') !== undefined,
        expected,
        value ?? 'none',
        exchange,
      )
    },
  },
  {
    id: 'list-orders.path',
    section: '4.3',
    sentence: '`GET /store/orders`.',
    restated: [{ section: '1', sentence: 'The service also has pet and store-order operations.' }],
    requests: 1,
    run: async ({ observe }) => expectStatus(await observe({ path: '/store/orders' }), 200),
  },
]

async function getPet(client: CheckClient): Promise<Exchange> {
  const { petId } = await pickEntry(client)
  return client.observe({ path: `/pets/${petId}` })
}

/** @throws {Skip} If there is no such operation: `get-pet.path` reports that. */
async function getFoundPet(client: CheckClient): Promise<Exchange> {
  const exchange = await getPet(client)
  if (isUnrouted(exchange)) throw toSkip('getPet', exchange)
  return exchange
}
