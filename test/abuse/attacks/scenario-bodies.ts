import { inParallel } from '../client.js'
import { addresses, defineTrial, type Trial, type TrialContext } from '../trial.js'

/** A trial that sends bodies to PUT /sandbox/scenario. */
interface BodyTrial extends Pick<Trial, 'name' | 'title'> {
  /** Number of attempts with small counts. Default: each body, `parallel` times. */
  readonly small?: number
  readonly full: number
  /** Number of bodies that are sent at the same time. Default: 1. */
  readonly parallel?: number
  /** Returns the bodies. Each attempt sends the next one. */
  readonly bodies: () => readonly string[]
}

/** Returns the JSON of an array. */
function toArray(count: number, toItem: (index: number) => string): string {
  return `[${Array.from({ length: count }, (_, index) => toItem(index)).join()}]`
}

/** Returns the JSON of the fields of an object. */
function toFields(count: number, toField: (index: number) => string): string {
  return toArray(count, toField).slice(1, -1)
}

function nest(open: string, close: string, levels: number): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

/** Returns the JSON of a list of pets that together have 7 MiB. */
export function toLargePets(count: number): string {
  const note = 'x'.repeat(330)
  return toArray(count, (index) => `{"petId":${index},"name":"a","note":"${note}"}`)
}

const toKey = (index: number) => `acme-key-${index}`

const trials: readonly BodyTrial[] = [
  {
    name: 'many-scenarios',
    title:
      'Arrays of up to 60,000 tiny scenarios, in bodies of 1 MiB. Merging them takes quadratic time if each of them adds a field.',
    full: 60,
    bodies: () => [
      toArray(60_000, () => '{"name":"a"}'),
      toArray(20_000, (index) => `{"name":"a","quota":{"${index.toString(36)}":{}}}`),
    ],
  },
  {
    name: 'empty-objects',
    title:
      'Arrays of 2.7 million empty objects, in bodies of 8 MiB, at several places of a scenario.',
    full: 30,
    bodies: () => [
      toArray(2_700_000, () => '{}'),
      `{"name":"a","pets":${toArray(2_700_000, () => '{}')}}`,
      `{"name":"a","pets":[{"petId":1,"name":"a","x":${toArray(2_600_000, () => '{}')}}]}`,
    ],
  },
  {
    name: 'deep-nesting',
    title: 'JSON that is nested up to 4 million levels deep, in bodies of 8 MiB.',
    full: 30,
    bodies: () => [
      nest('[', ']', 4_100_000),
      nest('{"a":', '}', 1_300_000),
      `{"name":"a","pets":[{"petId":1,"name":"a","x":${nest('[', ']', 4_000_000)}}]}`,
    ],
  },
  {
    name: 'invalid-pets',
    title:
      'Scenarios with 20,000 pets that are invalid in seven ways each, or that all have the same id.',
    full: 30,
    bodies() {
      const pet = '{"petId":1.5,"name":5,"quantity":"x","status":"y","photoUrls":7,"tags":[1,2,3]}'
      return [
        `{"name":"a","pets":${toArray(20_000, () => pet)}}`,
        `{"name":"a","pets":${toArray(20_000, () => '{"petId":1,"name":"a"}')}}`,
      ]
    },
  },
  {
    name: 'unknown-keys',
    title: 'Scenarios with 100,000 unknown fields, at the top, in a pet and in the clock.',
    full: 30,
    bodies() {
      const unknown = `{${toFields(100_000, (index) => `"k${index}":0`)}}`
      return [
        unknown,
        `{"name":"a","pets":[${unknown}]}`,
        `{"name":"a","clock":${unknown},"rules":${unknown},"plans":${unknown}}`,
      ]
    },
  },
  {
    name: 'long-names',
    title: 'Names, ids and numbers of 8 million characters. None may cause an internal error.',
    full: 36,
    bodies() {
      const long = 'a-'.repeat(4_000_000)
      const digits = '1'.repeat(8_000_000)
      return [
        `"${long}"`,
        `{"name":"${long}"}`,
        `{"name":"a","${long}":1}`,
        `{"name":"a","extends":"${long}"}`,
        `{"name":"a","quota":{"${long}":{}}}`,
        `{"name":"a","pets":[{"name":"a","petId":"${digits}"}]}`,
        `{"name":"a","pets":[{"name":"a","petId":${digits}}]}`,
        `{"name":"a","clock":{"now":"${digits}"}}`,
        `{"name":"a","apiKeys":[{"plan":"free","key":"${long}"}]}`,
      ]
    },
  },
  {
    name: 'many-quotas',
    title: 'Scenarios with 100,000 entries in `quota` or 20,000 entries in `apiKeys` and `quota`.',
    full: 30,
    bodies() {
      const toQuota = (index: number) => `"${toKey(index)}":{"minute":{"used":1}}`
      const keys = toArray(20_000, (index) => `{"plan":"free","key":"${toKey(index)}"}`)
      return [
        `{"name":"a","quota":{${toFields(100_000, toQuota)}}}`,
        `{"name":"a","apiKeys":${keys},"quota":{${toFields(20_000, toQuota)}}}`,
      ]
    },
  },
  {
    name: 'many-fields',
    title:
      'Scenarios of 6 to 8 MiB whose pets have additional fields: 700,000 in one pet, 6,900 in each of 100 pets, or 25 in each of 20,000 pets, with names of their own.',
    full: 30,
    bodies() {
      const toPet = (id: number, fields: string) => `{"petId":${id},"name":"a",${fields}}`
      const toSame = (count: number) => toFields(count, (index) => `"f${index}":0`)
      const toOwn = (id: number) => toFields(25, (field) => `"g${id}-${field}":0`)
      return [
        `{"name":"a","pets":[${toPet(1, toSame(700_000))}]}`,
        `{"name":"a","pets":${toArray(100, (id) => toPet(id, toSame(6_900)))}}`,
        `{"name":"a","pets":${toArray(20_000, (id) => toPet(id, toOwn(id)))}}`,
      ]
    },
  },
  {
    name: 'large-scenarios',
    title:
      'Valid scenarios of 7 MiB with 20,000 pets, and scenarios that request 20,000 generated pets and orders, four at the same time.',
    full: 40,
    parallel: 4,
    bodies: () => [
      `{"name":"a","pets":${toLargePets(20_000)}}`,
      '{"name":"a","generate":{"pets":20000,"orders":20000}}',
    ],
  },
  {
    name: 'generated-scenarios',
    title: 'One client requests 20,000 generated pets and orders in 16 worlds at the same time.',
    small: 16,
    full: 160,
    parallel: 16,
    bodies: () => ['{"name":"a","generate":{"pets":20000,"orders":20000}}'],
  },
]

/** Trials that block the event loop. */
export const scenarioBodies: readonly Trial[] = trials.map(toTrial)

export const filledWorlds: Trial = toTrial({
  name: 'filled-worlds',
  title: 'One client creates many worlds and fills each of them with a scenario of 7 MiB.',
  small: 40,
  full: 400,
  parallel: 4,
  bodies: () => [`{"name":"a","pets":${toLargePets(20_000)}}`],
})

/** Returns a trial that sends bodies, each with the key of another world. */
function toTrial({ name, title, small, full, bodies, parallel = 1 }: BodyTrial): Trial {
  return defineTrial({
    name,
    title,
    unit: 'requests',
    attempts: { small: small ?? bodies().length * parallel, full },
    leavesWorlds: true,
    run: (context) => putScenarios(context, bodies(), parallel),
  })
}

/** Sends bodies. Each must be accepted or rejected, not cause an internal error. */
async function putScenarios(
  context: TrialContext,
  bodies: readonly string[],
  parallel: number,
): Promise<void> {
  const client = context.client(addresses.attacker)
  const bytes = bodies.map((body) => Buffer.from(body))
  await inParallel(context.attempts, parallel, context.ending, async (attempt) => {
    const { status, text } = await client.send({
      method: 'PUT',
      path: '/sandbox/scenario',
      apiKey: `sbx_free_default_blocks-${attempt}`,
      body: bytes[attempt % bytes.length],
    })
    if (context.signal.aborted) return
    context.count()
    if (status === 500 || status === 0) context.violation(`${status}: ${text.slice(0, 200)}`)
  })
}
