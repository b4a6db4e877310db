import type { SandboxOptions } from 'petstore-sandbox'
import { directTransport } from '../../support/direct-transport.js'
import { startMs } from '../../support/suite.js'
import { type CallStep, isSendStep, type OpenStep, type SendStep, type Step } from './cases.js'
import { expand } from './expand.js'
import { Labels } from './labels.js'
import { openHttp, openOver, type ReplayPlace } from './places.js'
import { toSentRequest } from './request.js'
import { type Exchanged, findDifference, toGoldenResponse } from './response.js'

interface Exchange {
  readonly exchanged: Exchanged
  readonly delays: readonly number[]
}

/** Executes the steps over HTTP and with `sandbox.fetch`. Returns them with the responses. */
export async function replay(steps: readonly Step[]): Promise<Step[]> {
  const [overHttp, fetched] = await Promise.all([
    execute(steps, openHttp),
    execute(steps, openOver(directTransport)),
  ])
  return steps.map((step, index) => {
    const [http, other] = [overHttp[index], fetched[index]]
    return isSendStep(step) && http && other ? respond(step, http, other) : step
  })
}

function respond(step: SendStep, http: Exchange, fetched: Exchange): SendStep {
  const { response: _, fetch: __, ...request } = step
  const difference = findDifference(http.exchanged, fetched.exchanged)
  const isDelaySame = String(http.delays) === String(fetched.delays)
  const fetch = isDelaySame ? difference : { ...difference, delays: fetched.delays }
  const response = toGoldenResponse(http.exchanged, http.delays)
  return { ...request, response, ...(fetch ? { fetch } : {}) }
}

/** Returns what each step that sends a request received, by its index. */
export async function execute(
  steps: readonly Step[],
  open: (options: SandboxOptions) => Promise<ReplayPlace>,
): Promise<(Exchange | undefined)[]> {
  const exchanges: (Exchange | undefined)[] = []
  let sandbox: OpenSandbox | undefined
  try {
    for (const step of steps) {
      if ('open' in step) {
        await sandbox?.place.close()
        sandbox = await openSandbox(step, open)
      }
      if (!sandbox) throw new Error('expected a sandbox to be opened first')
      exchanges.push(await take(step, sandbox))
    }
  } finally {
    await sandbox?.place.close()
  }
  return exchanges
}

interface OpenSandbox {
  readonly place: ReplayPlace
  readonly labels: Labels
  readonly delays: number[]
  pass(ms: number): void
}

async function openSandbox(
  step: OpenStep,
  open: (options: SandboxOptions) => Promise<ReplayPlace>,
): Promise<OpenSandbox> {
  const { now = startMs, ...options } = expand(step.open) as { now?: number } // as recorded
  let realMs = now
  const delays: number[] = []
  const sleep = async (ms: number) => {
    delays.push(ms)
  }
  return {
    place: await open({ ...options, now: () => realMs, sleep }),
    labels: new Labels(),
    delays,
    pass: (ms) => {
      realMs += ms
    },
  }
}

async function take(step: Step, sandbox: OpenSandbox): Promise<Exchange | undefined> {
  const { place, labels, delays } = sandbox
  if ('passMs' in step) sandbox.pass(step.passMs)
  if ('call' in step) await call(place.sandbox, step.call)
  if (!isSendStep(step)) return undefined
  const restored: SendStep = JSON.parse(labels.restore(JSON.stringify(step)))
  const exchanged = await place.send(toSentRequest(restored, place.urls), labels)
  return { exchanged, delays: delays.splice(0) }
}

/** Calls a method of a sandbox, with the names of properties on the way to it. */
async function call(sandbox: object, path: CallStep['call']): Promise<void> {
  let owner: unknown
  let value: unknown = sandbox
  for (const part of path) {
    if (typeof part !== 'string') {
      if (typeof value !== 'function') throw new TypeError(`${path.join('.')} is no method`)
      value = await Reflect.apply(value, owner, part.map(expand))
      continue
    }
    owner = value
    value = Reflect.get(Object(owner), part, owner)
  }
}
