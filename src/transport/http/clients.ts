import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Client } from '../../engine/client.js'
import { availableTo } from '../../engine/registry.js'
import type { Sandbox } from '../../engine/sandbox.js'
import {
  clientShare,
  createCapacityProblem,
  type HttpLimits,
  preparingClients,
} from '../../service/bounds.js'
import { passTurns } from '../../service/timers.js'
import { isLoopback } from './hosts.js'
import { UnsentBytes } from './unsent-bytes.js'

const minuteMs = 60_000

/** Turns of the event loop between two control requests: more than another client's request takes. */
const turnsForOthers = 10

/** Number of clients beyond which those without any state are forgotten. */
const maximumClients = 10_000
/** Number of clients that are examined at a time. */
const sweptClients = 100

/** A client, with what it uses at the moment. */
export class HttpClient implements Client {
  /** Number of open connections. */
  connections = 0
  /** The connections that were opened beyond the limit, oldest first. */
  readonly excess = new Set<Socket>()
  worldBytes = 0
  readonly worldLimit: number
  #streams = 0
  /** Resolves when the next control request of the client may be executed. */
  #turn: Promise<void> = Promise.resolve()
  readonly #worlds: RateWindow
  readonly #controlRequests: RateWindow

  /** @param now Returns monotonic milliseconds. */
  constructor(
    readonly address: string,
    readonly isLocal: boolean,
    readonly clients: Clients,
    now: () => number,
  ) {
    const { sandbox, limits } = clients
    const { clientWorlds, clientControlRequests } = limits
    this.worldLimit = limits.clientMemory ?? sandbox.settings.maxMemory / 2
    this.#worlds = new RateWindow(clientWorlds, 'new worlds per minute and client', now)
    this.#controlRequests = new RateWindow(
      clientControlRequests,
      'control requests per minute and client',
      now,
    )
  }

  chargeWorld(): void {
    this.#worlds.charge()
  }

  chargeControlRequest(): void {
    this.#controlRequests.charge()
  }

  takeTurn(): Promise<void> {
    const turn = this.#turn
    this.#turn = turn.then(() => passTurns(turnsForOthers))
    return turn
  }

  prepare<T>(task: () => Promise<T>): Promise<T> {
    return this.clients.preparations.run(this, task)
  }

  openStream(): () => void {
    const { clients } = this
    const { streams, clientStreams } = clients.limits
    if (this.#streams >= clientStreams) {
      throw createCapacityProblem(`${clientStreams} event streams per client`, 10)
    }
    if (clients.streams >= streams) throw createCapacityProblem(`${streams} event streams`, 10)
    this.#streams += 1
    clients.streams += 1
    return () => {
      this.#streams -= 1
      clients.streams -= 1
    }
  }

  /** Whether the client can be forgotten without a difference. */
  get isIdle(): boolean {
    const { connections, worldBytes, clients } = this
    const { received, waiting } = clients
    if (connections > 0 || worldBytes > 0 || this.#streams > 0) return false
    if (received.usedBy(this) > 0 || waiting.usedBy(this) > 0) return false
    return !this.#worlds.isOpen && !this.#controlRequests.isOpen
  }
}

/** A limit per minute, in fixed windows. */
class RateWindow {
  #endsAtMs = Number.NEGATIVE_INFINITY
  #count = 0

  /** @param unit The counted things, for messages. */
  constructor(
    readonly limit: number,
    readonly unit: string,
    readonly now: () => number,
  ) {}

  get isOpen(): boolean {
    return this.now() < this.#endsAtMs
  }

  /** @throws {Problem} sandbox_capacity */
  charge(): void {
    const now = this.now()
    if (now >= this.#endsAtMs) {
      this.#endsAtMs = now + minuteMs
      this.#count = 0
    }
    if (this.#count >= this.limit) {
      const seconds = Math.max(1, Math.ceil((this.#endsAtMs - now) / 1_000))
      throw createCapacityProblem(`${this.limit} ${this.unit}`, seconds)
    }
    this.#count += 1
  }
}

/**
 * Performs preparations of scenarios, reports and snapshots one at a time, because each may use a
 * large part of the memory. A client with several of them waits for its own before it takes a place.
 */
export class Preparations {
  #clients = 0
  #last: Promise<unknown> = Promise.resolve()
  /** The last preparation of each client. */
  readonly #lastOf = new WeakMap<object, Promise<unknown>>()

  /**
   * Performs a preparation when its turn has come.
   *
   * @throws {Problem} sandbox_capacity, as a rejection, if too many clients wait.
   */
  run<T>(client: object, prepare: () => Promise<T>): Promise<T> {
    const start = () => this.#enqueue(prepare)
    const result = (this.#lastOf.get(client) ?? Promise.resolve()).then(start, start)
    this.#lastOf.set(client, result)
    return result
  }

  async #enqueue<T>(prepare: () => Promise<T>): Promise<T> {
    if (this.#clients >= preparingClients) {
      throw createCapacityProblem(
        `${preparingClients} clients that prepare a scenario or report`,
        1,
      )
    }
    this.#clients += 1
    const start = () => passTurns(turnsForOthers).then(prepare)
    const result = this.#last.then(start, start)
    this.#last = result
    try {
      return await result
    } finally {
      this.#clients -= 1
    }
  }
}

/** A number of bytes that the requests of all clients share. */
export class SharedBytes {
  #used = 0
  readonly #usedBy = new Map<HttpClient, number>()

  /** @param unit What is counted, for messages: `bytes of request bodies`. */
  constructor(
    readonly limit: number,
    readonly unit: string,
  ) {}

  get used(): number {
    return this.#used
  }

  usedBy(client: HttpClient): number {
    return this.#usedBy.get(client) ?? 0
  }

  /** Counts bytes towards a client. Returns false if there is no room for them. */
  tryAdd(client: HttpClient, bytes: number): boolean {
    const own = this.usedBy(client) + bytes
    if (own > this.limit * clientShare) return false
    if (this.#used + bytes > availableTo(this.limit, own)) return false
    this.#used += bytes
    this.#usedBy.set(client, own)
    return true
  }

  /**
   * Counts bytes towards a client.
   *
   * @throws {Problem} sandbox_capacity
   */
  add(client: HttpClient, bytes: number): void {
    if (this.tryAdd(client, bytes)) return
    const { limit, unit } = this
    const limits = `${limit} ${unit}, of which one client may use ${limit * clientShare}`
    throw createCapacityProblem(limits, 10)
  }

  remove(client: HttpClient, bytes: number): void {
    this.#used -= bytes
    const own = this.usedBy(client) - bytes
    if (own > 0) this.#usedBy.set(client, own)
    else this.#usedBy.delete(client)
  }
}

/** The clients of a server by their address. */
export class Clients {
  readonly #clients = new Map<string, HttpClient>()
  readonly preparations = new Preparations()
  /** Bodies that are being received or processed. */
  readonly received: SharedBytes
  /** Headers of requests that wait. */
  readonly waiting: SharedBytes
  readonly unsent: UnsentBytes
  /** Number of open event streams. */
  streams = 0
  /**
   * Whether the server accepts connections from this machine only. Undefined if the server is not
   * ours: the clients on this machine are then local.
   */
  isLocal: boolean | undefined

  /** @param sandbox Has the worlds of the clients. */
  constructor(
    readonly sandbox: Sandbox,
    readonly limits: HttpLimits,
  ) {
    this.received = new SharedBytes(limits.receivedBytes, 'bytes of request bodies')
    this.unsent = new UnsentBytes(limits.unsentBytes)
    this.waiting = new SharedBytes(limits.waitingBytes, 'bytes of headers of waiting requests')
  }

  /** Returns the client of an IP address. */
  find(ip: string | undefined): HttpClient {
    const address = toClientAddress(ip ?? '')
    const found = this.#clients.get(address)
    if (found) return found
    const { monotonic } = this.sandbox.settings.platform
    const isLocal = this.isLocal ?? isLoopback(ip ?? '')
    const client = new HttpClient(address, isLocal, this, monotonic)
    if (this.#clients.size >= maximumClients) this.#sweep()
    this.#clients.set(address, client)
    return client
  }

  /**
   * Returns the client of a request behind trusted proxies: the address that they added to
   * X-Forwarded-For, or that of the connection.
   */
  of(req: IncomingMessage, connectionClient: HttpClient): HttpClient {
    const { trustedProxies } = this.limits
    const forwarded = req.headers['x-forwarded-for']
    if (forwarded === undefined) return connectionClient
    const addresses = String(forwarded).split(',')
    const address = addresses[Math.max(0, addresses.length - trustedProxies)]?.trim() ?? ''
    return isIP(address) === 0 ? connectionClient : this.find(address)
  }

  /** Number of open connections. */
  get connections(): number {
    let count = 0
    for (const { connections } of this.#clients.values()) count += connections
    return count
  }

  /** Returns the client with the most connections. */
  heaviest(): HttpClient | undefined {
    let heaviest: HttpClient | undefined
    for (const client of this.#clients.values()) {
      if (client.connections > (heaviest?.connections ?? 0)) heaviest = client
    }
    return heaviest
  }

  /** Forgets idle clients among those that were added first. */
  #sweep(): void {
    let examined = 0
    for (const [address, client] of this.#clients) {
      if (examined === sweptClients) return
      examined += 1
      this.#clients.delete(address)
      if (!client.isIdle) this.#clients.set(address, client)
    }
  }
}

/** Returns an IPv4 address unchanged, and the /64 network of an IPv6 address. */
export function toClientAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (isIP(ip) !== 6) return ip
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':').length : 0
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest)
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...(tail ? tail.split(':') : [])]
  return `${all.slice(0, 4).map(toHextet).join(':')}::/64`
}

/** Removes leading zeros, so that each network has one form. */
function toHextet(group: string): string {
  return (Number.parseInt(group, 16) || 0).toString(16)
}
