import {
  correctUrls,
  type WrongService,
  wrongServiceKey,
} from '../../scripts/fidelity/wrong/service.js'
import {
  createSandbox,
  type InProcessSandbox,
  type Scenario,
  type ScenarioName,
} from '../../src/index.js'
import type { Send } from '../../src/verify/request.js'
import { type Verification, type VerifyOptions, verify } from '../../src/verify/run.js'
import { serve } from '../support/server.js'
import { startMs } from '../support/suite.js'
import { createHonestService, type Freedoms } from './honest-service.js'

/** A run of all checks against a sandbox in this process. */
export interface Run extends Verification {
  readonly sandbox: InProcessSandbox
  /** Each line that the run printed. */
  readonly lines: readonly string[]
}

/** All checks. */
const defaults = {
  urls: correctUrls,
  key: wrongServiceKey,
  plan: 'free',
  allowsWrites: true,
  exhausts: true,
  monotonic: () => 0,
  maxWaitSeconds: 300,
} as const

/** Sends with `sandbox.fetch`. */
export function toSend(sandbox: Pick<InProcessSandbox, 'fetch'>): Send {
  return async ({ url, method, headers, body }) => {
    const response = await sandbox.fetch(url, { method, headers, body: body ?? null })
    const received = new Map([...response.headers].map(([name, value]) => [name, value]))
    return { status: response.status, headers: received, text: await response.text() }
  }
}

/** Runs all checks, with writes and up to the limit. Waiting advances the clock of the world. */
export async function verifySandbox(
  options: Partial<VerifyOptions> = {},
  scenario: ScenarioName | Scenario = 'default',
): Promise<Run> {
  const sandbox = await createSandbox({ now: () => startMs, scenario })
  return verifyWith(sandbox, toSend(sandbox), options)
}

/** Like {@link verifySandbox}, with responses that a wrong service has changed. */
export async function verifyWrong({ key, plan, urls, start }: WrongService): Promise<Run> {
  const sandbox = await createSandbox({ now: () => startMs })
  const send = toSend(sandbox)
  const respond = start()
  const wrong: Send = (request, signal) => respond(request, (sent) => send(sent, signal))
  return verifyWith(sandbox, wrong, {
    ...(key && { key }),
    ...(plan && { plan }),
    ...(urls && { urls: { ...correctUrls, ...urls } }),
  })
}

/** Runs all checks against an Express application that is not the sandbox, over HTTP. */
export async function verifyHonest(
  freedoms: Freedoms = {},
  options: Partial<VerifyOptions> = {},
  respond: ReturnType<WrongService['start']> = (request, next) => next(request),
): Promise<Verification> {
  let now = startMs
  const root = await serve(createHonestService(() => now, freedoms))
  const send = toSend({ fetch: (url, init) => fetch(toLocal(String(url), root), init) })
  return verify({
    ...defaults,
    send: (request, signal) => respond(request, (sent) => send(sent, signal)),
    now: () => now,
    sleep: async (ms) => {
      now += ms
    },
    notify: () => {},
    ...options,
  })
}

/** Returns the URL of the honest service for one of the sandbox. */
function toLocal(url: string, root: string): string {
  return url
    .replace(correctUrls.staging, `${root}/staging/v1`)
    .replace(correctUrls.quickstart, `${root}/quickstart`)
    .replace(correctUrls.api, `${root}/v1`)
}

/** Runs the checks with a function that sends. */
export async function verifyWith(
  sandbox: InProcessSandbox,
  send: Send,
  options: Partial<VerifyOptions> = {},
): Promise<Run> {
  const { key = wrongServiceKey } = options
  const world = await sandbox.worldFor(key)
  const lines: string[] = []
  const verification = await verify({
    ...defaults,
    key,
    send,
    now: () => world.clock.now(),
    sleep: async (ms) => {
      world.clock.advance(ms)
    },
    notify: (line) => lines.push(line),
    ...options,
  })
  return { ...verification, sandbox, lines }
}

/** Returns the ids of the checks with an outcome. */
export function idsOf({ results }: Verification, outcome: string): readonly string[] {
  return results.filter((result) => result.outcome === outcome).map(({ id }) => id)
}
