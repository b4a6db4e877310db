import { expect, test } from 'vitest'
import { item, pullTo, readPulled, record, serveReplies } from './support.js'

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

test.each<[string, number, Record<string, string>, object, string[]]>([
  ['all headers', 200, dates, written, []],
  ['other links', 200, { ...dates, Link: `</z>; rel=next, ${dates.Link}` }, written, []],
  [
    'a date as deprecation',
    200,
    { ...dates, Deprecation: 'Wed, 01 Jan 2025 00:00:00 GMT' },
    written,
    [],
  ],
  [
    'no sunset',
    200,
    omit('Sunset'),
    { deprecatedAt: written.deprecatedAt, link: written.link },
    [noSunset],
  ],
  [
    'a deprecation that is not a date',
    200,
    { ...dates, Deprecation: 'true' },
    { sunsetAt: written.sunsetAt, link: written.link },
    ['GET /pets/{petId}: the Deprecation header must have a date, found "true"'],
  ],
  [
    'a sunset before the deprecation',
    200,
    { ...dates, Deprecation: '@1830000000' },
    { ...written, deprecatedAt: written.sunsetAt },
    ['GET /pets/{petId}: the sunset is before the deprecation; the sandbox sends it twice'],
  ],
  [
    'a link with white space',
    200,
    { ...dates, Link: '<a b>; rel="deprecation"' },
    { deprecatedAt: written.deprecatedAt, sunsetAt: written.sunsetAt },
    [
      'GET /pets/{petId}: the Link header must have a target with rel="deprecation", found "<a b>; rel=\\"deprecation\\""',
    ],
  ],
  [
    'a sunset in the past',
    200,
    { ...dates, Sunset: date },
    { ...written, sunsetAt: '2026-01-15T09:00:00.000Z', afterSunset: 'serve' },
    [],
  ],
  [
    'an operation that is gone',
    410,
    { ...dates, Sunset: date },
    { ...written, sunsetAt: '2026-01-15T09:00:00.000Z' },
    [],
  ],
  [
    'an operation that is gone without a sunset',
    410,
    omit('Sunset'),
    { ...written, sunsetAt: '2026-01-15T09:00:00.000Z' },
    [noSunset],
  ],
  [
    'an operation that does not exist',
    405,
    dates,
    written,
    ['pets: status 405, the sandbox responds with a record (1)'],
  ],
])(
  'pull keeps the deprecation of a service with %s',
  async (_title, status, headers, kept, notes) => {
    const { url } = await serveReplies({
      '/inventory': { body: [item], headers: { Date: date } },
      '/store/orders': { body: [], headers: { Date: date } },
      '/pets/1': { status, headers, body: status === 410 ? gone : record },
    })
    const { stdout, output } = await pullTo({ url })
    const pulled = await readPulled(output)
    expect(pulled.deprecation).toEqual(kept)
    expect(pulled.clock).toMatchObject({ now: '2026-01-15T09:00:00.000Z' })
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

function omit(name: keyof typeof dates): Record<string, string> {
  return Object.fromEntries(Object.entries(dates).filter(([other]) => other !== name))
}
