import type { Build } from './build.js'
import type { Exchange, Received, SentRequest } from './exchange.js'
import { addressPaths, type OpenPlace, type Place } from './place.js'
import { type Sequence, type Step, type Tenant, toAddress, token } from './sequence.js'
import type { BaselineRequest } from './variations.js'

/** The real time at the start, between two whole seconds. */
const startMs = Date.UTC(2026, 0, 15, 9, 0, 0, 250)

/** What each client reads at the end of a sequence. */
const finalPaths = ['', '/journal', '/report', '/snapshot']

const nothing: Received = { status: 0, headers: [], body: '' }

/**
 * Sends the requests of a sequence to a new sandbox of a build, and returns what it did.
 *
 * @param isLeftOut Whether a request of the sequence is not sent.
 * @param toBody Returns the body of a request as the build takes it.
 */
export async function play(
  build: Build,
  sequence: Sequence,
  open: OpenPlace,
  isLeftOut: (request: Exchange['request']) => boolean,
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
  let drawn = 0
  performance.now = () => 0
  crypto.getRandomValues = (array) => {
    drawn += 1
    if (array instanceof Uint8Array) array.fill(drawn)
    return array
  }
  return () => {
    performance.now = now
    crypto.getRandomValues = getRandomValues
  }
}

class Player {
  readonly exchanges: Exchange[] = []
  readonly #streams: { readonly request: string; readonly rest: Promise<string> }[] = []
  #entries: string[] = []
  #delays: number[] = []
  #realMs = startMs
  #place: Place | undefined
  /** Called when the current request is delayed. */
  #onDelay = () => {}

  constructor(
    readonly sequence: Sequence,
    readonly isLeftOut: (request: Exchange['request']) => boolean,
    readonly toBody: (json: string) => string,
  ) {}

  async open(build: Build, openPlace: OpenPlace): Promise<void> {
    const options = {
      scenario: JSON.parse(this.toBody(JSON.stringify(this.sequence.start))),
      // Fewer entries than a sequence has requests.
      journalCapacity: 8,
      now: () => this.#realMs,
      sleep: async (ms: number) => {
        this.#delays.push(ms)
        this.#onDelay()
      },
    }
    this.#place = await openPlace(build, options, this.sequence.access)
    this.#place.sandbox.subscribe((entry) => this.#entries.push(JSON.stringify(entry)))
  }

  async run({ who, action }: Step): Promise<void> {
    const tenant = this.sequence.tenants[who]
    switch (action.type) {
      case 'request':
        await this.#request(tenant, action.request)
        break
      case 'pass':
        this.#realMs += action.ms
        this.#add(`${action.ms} ms pass`, nothing)
        break
      case 'restore':
        await this.#restore(tenant, this.sequence.tenants[action.isOther ? 1 - who : who])
        break
      case 'text':
        if (this.isLeftOut(action.text)) return
        this.#add(action.text, (await this.#place?.sendText?.(action.text)) ?? nothing)
    }
  }

  /** Reads the worlds of the clients, and the event streams, which end with their worlds. */
  async finish(): Promise<void> {
    for (const tenant of this.sequence.tenants) {
      for (const path of finalPaths) await this.#control(tenant, 'GET', path)
    }
    this.#place?.sandbox.reset()
    for (const { request, rest } of this.#streams) {
      this.#add(`the events after ${request}`, { ...nothing, body: await rest })
    }
  }

  async close(): Promise<void> {
    await this.#place?.close()
  }

  async #restore(tenant: Tenant, from: Tenant | undefined): Promise<void> {
    const { body } = await this.#control(from ?? tenant, 'GET', '/snapshot')
    await this.#control(tenant, 'PUT', '/scenario', 0, body)
  }

  #control(tenant: Tenant, method: string, path: string, key = 0, body?: string) {
    const json = { headers: { 'Content-Type': 'application/json' }, body, isLatin1: true }
    const content = body === undefined ? {} : json
    return this.#request(tenant, { method, address: 'control', path, key, ...content })
  }

  async #request(tenant: Tenant, request: BaselineRequest): Promise<Received> {
    const { body } = request
    const own = body === undefined ? request : { ...request, body: this.toBody(body) }
    const sent = toSent(this.sequence, tenant, own)
    if (this.isLeftOut(sent)) return nothing
    const abort = new AbortController()
    this.#onDelay = () => {
      if (request.isAborted) abort.abort()
    }
    const response = (await this.#place?.send(sent, abort.signal)) ?? nothing
    this.#onDelay = () => {}
    this.#add(sent, response)
    if (response.stream !== undefined) {
      this.#streams.push({ request: `${sent.method} ${sent.target}`, rest: response.stream })
    }
    return response
  }

  #add(request: Exchange['request'], response: Received): void {
    this.exchanges.push({ request, response, entries: this.#entries, delays: this.#delays })
    this.#entries = []
    this.#delays = []
  }
}

function toSent(sequence: Sequence, tenant: Tenant, request: BaselineRequest): SentRequest {
  const { method, address, path, key, body, isLatin1 = false } = request
  const headers = {
    Authorization: `Bearer ${tenant.apiKeys[key % tenant.apiKeys.length]}`,
    ...(sequence.access && tenant === sequence.tenants[0] && { 'Sandbox-Token': token }),
    ...request.headers,
  }
  return {
    method,
    target: addressPaths[toAddress(tenant, address)] + path,
    // An empty value stands for no header.
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    body:
      body === undefined
        ? undefined
        : Uint8Array.from(Buffer.from(body, isLatin1 ? 'latin1' : 'utf8')),
  }
}
