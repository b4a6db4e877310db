import { inParallel } from '../client.js'
import { addresses, defineTrial, type Trial, type TrialContext } from '../trial.js'

/** A trial that sends bodies to PUT /sandbox/scenario. */
interface BodyTrial extends Pick<Trial, 'name' | 'title'> {
  readonly full: number
  /** Number of bodies that are sent at the same time. Default: 1. */
  readonly parallel?: number
  /** Returns the bodies. Each attempt sends the next one. */
  readonly bodies: () => readonly string[]
}

/** Defines a trial that sends bodies, one after the other, each with the key of another world. */
export function defineBodyTrial({ name, title, full, bodies, parallel = 1 }: BodyTrial): Trial {
  return defineTrial({
    name,
    title,
    unit: 'requests',
    attempts: { small: bodies().length * parallel, full },
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

/** Returns the JSON of an array. */
export function toArray(count: number, toItem: (index: number) => string): string {
  return `[${Array.from({ length: count }, (_, index) => toItem(index)).join()}]`
}

/** Returns the JSON of an object with many fields. */
export function toObject(count: number, toField: (index: number) => string): string {
  return `{${Array.from({ length: count }, (_, index) => toField(index)).join()}}`
}
