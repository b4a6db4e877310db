import { expect, test } from 'vitest'
import { item, pullTo, readPulled, record, serveReplies } from './support.js'

const now = '2026-01-15T09:00:00.000Z'
const date = 'Thu, 15 Jan 2026 09:00:00 GMT'
const dates = {
  Date: date,
  Deprecation: '@1735689600',
  Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  Link: '<https://x/y>; rel="deprecation"',
}
const written = {
  deprecatedAt: '2025-01-01T00:00:00.000Z',
  sunsetAt: '2027-01-01T00:00:00.000Z',
  link: 'https://x/y',
}
const noSunset = 'GET /pets/{petId}: the Sunset header must have a date, found none'

test.each<[string, Record<string, string | undefined>, object, string[], number?]>([
  ['all headers', {}, {}, []],
  ['other links', { Link: `</z>; rel=next, ${dates.Link}` }, {}, []],
  ['a date as deprecation', { Deprecation: 'Wed, 01 Jan 2025 00:00:00 GMT' }, {}, []],
  ['no sunset', { Sunset: undefined }, { sunsetAt: undefined }, [noSunset]],
  [
    'a deprecation that is not a date',
    { Deprecation: 'true' },
    { deprecatedAt: undefined },
    ['GET /pets/{petId}: the Deprecation header must have a date, found "true"'],
  ],
  [
    'a sunset before the deprecation',
    { Deprecation: '@1830000000' },
    { deprecatedAt: written.sunsetAt },
    ['GET /pets/{petId}: the sunset is before the deprecation; the sandbox sends it twice'],
  ],
  [
    'a link with white space',
    { Link: '<a b>; rel="deprecation"' },
    { link: undefined },
    [
      'GET /pets/{petId}: the Link header must have a target with rel="deprecation", found "<a b>; rel=\\"deprecation\\""',
    ],
  ],
  ['a sunset in the past', { Sunset: date }, { sunsetAt: now, afterSunset: 'serve' }, []],
  ['an operation that is gone', { Sunset: date }, { sunsetAt: now }, [], 410],
  [
    'an operation that is gone without a sunset',
    { Sunset: undefined },
    { sunsetAt: now },
    [noSunset],
    410,
  ],
  [
    'an operation that does not exist',
    {},
    {},
    ['pets: status 405, the sandbox responds with a record (1)'],
    405,
  ],
])(
  'pull keeps the deprecation of a service with %s',
  async (_title, changed, kept, notes, status = 200) => {
    // As JSON, without the headers that are undefined.
    const headers = JSON.parse(JSON.stringify({ ...dates, ...changed }))
    const { url } = await serveReplies({
      '/inventory': { body: [item], headers: { Date: date } },
      '/store/orders': { body: [], headers: { Date: date } },
      '/pets/1': { status, headers, body: status === 410 ? gone : record },
    })
    const { stdout, output } = await pullTo({ url })
    const pulled = await readPulled(output)
    expect(pulled.deprecation).toEqual({ ...written, ...kept })
    expect(pulled.clock).toMatchObject({ now })
    const lines = stdout.split('\n').filter((line) => line.startsWith('not represented: '))
    expect(lines).toEqual(notes.map((note) => `not represented: ${note}`))
  },
)

/** The body of the sandbox after the sunset. */
const gone = {
  code: 'operation_gone',
  message: 'the sunset of getPet was at 2026-01-15T09:00:00.000Z',
  status: 410,
}
