import { readdir, readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { type PullSettings, runPull } from '../../../src/cli/pull/command.js'
import type { Scenario } from '../../../src/index.js'
import { UsageError } from '../../../src/verify/usage-error.js'
import { createDirectory, createTerminal, run } from '../../cli/support.js'
import { openServer, serve } from '../../support/server.js'
import { startMs } from '../../support/suite.js'

export const apiKey = 'sbx_enterprise'

/** The time of a test, which only `sleep` advances. */
export interface Time {
  nowMs: number
  /** The times that were waited, in milliseconds. */
  readonly waits: number[]
}

/** The result of a pull. */
export interface Pulled {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The message of the failure. */
  readonly message: string
  /** The names of the files in the directory of the output. */
  readonly files: readonly string[]
  /** The path of the output. */
  readonly output: string
  readonly time: Time
}

type Settings = Partial<PullSettings> & {
  readonly time?: Time
  /** Called before each wait. Receives a function that sends SIGINT. */
  readonly onWait?: (interrupt: () => void) => void
}

export function createTime(): Time {
  return { nowMs: startMs, waits: [] }
}

/** Pulls to a file in a new directory, or in the directory of `output`. */
export async function pullTo(settings: Settings): Promise<Pulled> {
  const { time = createTime(), onWait = () => {}, ...options } = settings
  const output = options.output ?? join(await createDirectory({}), 'pulled.json')
  const { terminal, read, signal } = createTerminal()
  const sleep = async (ms: number) => {
    onWait(() => signal('SIGINT'))
    time.waits.push(ms)
    time.nowMs += ms
  }
  const defaults = {
    url: undefined,
    har: undefined,
    name: undefined,
    key: apiKey,
    force: false,
    json: false,
    timeoutSeconds: 30,
    maxWaitSeconds: 300,
  }
  let failure: UsageError | undefined
  try {
    const now = () => time.nowMs
    const platform = { monotonic: now, now, sleep }
    await runPull({ ...defaults, ...options, output }, terminal, platform)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    failure = error
  }
  const files = (await readdir(join(output, '..'))).toSorted()
  const { exitCode = 2, message = '' } = failure ?? {}
  return { code: failure ? exitCode : 0, message, files, output, time, ...read() }
}

/** Serves a sandbox whose time only `sleep` advances. */
export async function serveScenario(scenario: Scenario, time = createTime()) {
  const { url, sandbox } = await openServer({ scenario, now: () => time.nowMs })
  return { url: `${url}/v1`, sandbox }
}

/** Reads a pulled file, after `petstore-sandbox check` has accepted it. */
export async function readPulled(path: string): Promise<Scenario> {
  const { code, stdout } = await run(['check', path])
  if (code !== 0) throw new Error(stdout)
  return JSON.parse(await readFile(path, 'utf8'))
}

/** A response of a service that is not a sandbox. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A value is sent as JSON. */
  readonly body?: unknown
}

/** Serves fixed responses by path until the test ends. Others have the status 404. */
export async function serveReplies(replies: Readonly<Record<string, Reply>>) {
  const requests: string[] = []
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? ''
    requests.push(`${path} ${request.headers.authorization}`)
    const { status = 200, headers = {}, body } = replies[path] ?? { status: 404, body: notFound }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  return { url: await serve(listener), requests }
}

const notFound = { code: 'pet_not_found', message: 'no such pet', status: 404 }

/** Reads the bodies of all resources of a service, by path. */
export async function readBodies(
  url: string,
  petIds: readonly (number | string)[],
): Promise<Record<string, string>> {
  const paths = ['/inventory', '/store/orders', ...petIds.map((id) => `/pets/${id}`)]
  const bodies: Record<string, string> = {}
  for (const path of paths) {
    const headers = { Authorization: `Bearer ${apiKey}` }
    bodies[path] = await (await fetch(`${url}${path}`, { headers })).text()
  }
  return bodies
}

/** An entry of an inventory. */
export const item = { petId: 1, quantity: 2, status: 'available' }
/** The record of its pet. */
export const record = {
  petId: 1,
  name: 'Bella',
  status: 'available',
  category: 'dog',
  photoUrls: [],
  tags: [],
}
export const order = {
  id: 7,
  petId: 1,
  quantity: 1,
  shipDate: '2026-01-01T00:00:00Z',
  status: 'placed',
  complete: false,
}
