import type { CommandRequest } from '../control/commands.js'
import type { SentRequest } from '../support/transport.js'
import { type Build, type OpenPlace, type Place, type Received, urls } from './place.js'
import type { Sequence, Step, Tenant } from './sequence.js'

/** The real time at the start, between two whole seconds. */
const startMs = Date.UTC(2026, 0, 15, 9, 0, 0, 250)

/** What each client reads at the end of a sequence. */
const finalPaths = ['', '/journal', '/report', '/snapshot']

/** A request and everything that one build did with it. */
export interface Exchange extends Received {
  /** Method and URL, such as `GET http://localhost/v1/inventory`. */
  readonly request: string
  readonly headers: readonly string[]
  readonly sentBody: string
  /** The journal entries that listeners received, as JSON. */
  readonly entries: readonly string[]
  /** The delays that the build requested, in milliseconds. */
  readonly delays: readonly number[]
}

/**
 * Sends the requests of a sequence to a new sandbox of a build, and returns what it did.
 *
 * @param isLeftOut Whether a request with these headers is not sent.
 * @param toBody Returns the body of a request as the build takes it.
 */
export async function play(
  build: Build,
  sequence: Sequence,
  open: OpenPlace,
  isLeftOut: (headers: readonly string[]) => boolean,
  toBody = (json: string) => json,
): Promise<Exchange[]> {
  const restoreChance = fixChance()
  const player = new Player(sequence, isLeftOut, toBody)
  try {
    await player.open(build, open)
    for (const step of sequence.steps) await player.run(step)
    await player.finish()
    return player.exchanges
  } finally {
    await player.close()
    restoreChance()
  }
}

/** Makes durations and random labels the same for both builds. Returns a function that ends this. */
function fixChance(): () => void {
  const { now } = performance
  const { getRandomValues } = crypto
  performance.now = () => 0
  crypto.getRandomValues = (array) => {
    if (array instanceof Uint8Array) array.fill(1)
    return array
  }
  return () => {
    performance.now = now
    crypto.getRandomValues = getRandomValues
  }
}

class Player {
  readonly exchanges: Exchange[] = []
  #entries: string[] = []
  #delays: number[] = []
  #realMs = startMs
  #place: Place | undefined

  constructor(
    readonly sequence: Sequence,
    readonly isLeftOut: (headers: readonly string[]) => boolean,
    readonly toBody: (json: string) => string,
  ) {}

  async open(build: Build, openPlace: OpenPlace): Promise<void> {
    this.#place = await openPlace(build, {
      scenario: this.sequence.start,
      // Fewer entries than a sequence has requests.
      journalCapacity: 8,
      now: () => this.#realMs,
      sleep: async (ms: number) => void this.#delays.push(ms),
    })
    this.#place.sandbox.subscribe((entry) => this.#entries.push(JSON.stringify(entry)))
  }

  async run({ who, action }: Step): Promise<void> {
    const tenant = this.sequence.tenants[who]
    if (action.type === 'pass') this.#realMs += action.ms
    else if (action.type === 'request') await this.#send(tenant, action.request)
    else {
      const body = await this.#control(this.sequence.tenants[0], 'GET', '/snapshot')
      await this.#control(tenant, 'PUT', '/scenario', body)
    }
  }

  /** Reads the worlds of the clients. */
  async finish(): Promise<void> {
    for (const tenant of this.sequence.tenants) {
      for (const path of finalPaths) await this.#control(tenant, 'GET', path)
    }
  }

  async close(): Promise<void> {
    await this.#place?.close()
  }

  /** Sends a request to the control API. Returns the body of the response. */
  #control(tenant: Tenant, method: string, path: string, body?: string): Promise<string> {
    const content = body && { headers: { 'Content-Type': 'application/json' }, body }
    return this.#send(tenant, { method, address: 'control', path, key: 0, ...content })
  }

  async #send(tenant: Tenant, request: CommandRequest): Promise<string> {
    const body = request.body && this.toBody(request.body)
    const sent = toSent(tenant, { ...request, ...(body !== undefined && { body }) })
    const headers = sent.headers.map((pair) => pair.join(': '))
    if (this.isLeftOut(headers)) return ''
    const received = await this.#place?.send(sent)
    this.exchanges.push({
      ...(received ?? { head: [], body: '' }),
      request: `${sent.method} ${sent.url}`,
      headers,
      sentBody: body ?? '',
      entries: this.#entries,
      delays: this.#delays,
    })
    this.#entries = []
    this.#delays = []
    return received?.body ?? ''
  }
}

function toSent({ environment, apiKeys }: Tenant, request: CommandRequest): SentRequest {
  const { method, address, path, key, headers, body } = request
  const apiKey = apiKeys[key % apiKeys.length]
  return {
    method,
    url: urls[environment === 'production' ? address : inStaging[address]] + path,
    headers: Object.entries({ Authorization: `Bearer ${apiKey}`, ...headers }),
    body: body === undefined ? undefined : new TextEncoder().encode(body),
  }
}

/** The address of the same name in staging. The quickstart address belongs to production. */
const inStaging = {
  api: 'staging',
  staging: 'staging',
  quickstart: 'quickstart',
  control: 'stagingControl',
  stagingControl: 'stagingControl',
} as const
