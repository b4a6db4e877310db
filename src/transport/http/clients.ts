import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Client } from '../../engine/client.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { createCapacityProblem, type HttpLimits } from '../../service/bounds.js'
import { passTurns } from '../../service/timers.js'
import { isLoopback, readForwarded } from './hosts.js'
import { Preparations, SharedBytes, turnsForOthers, UnsentBytes } from './shared-resources.js'

const minuteMs = 60_000

/** Number of clients beyond which clients without any state are removed. */
const maximumClients = 10_000
/** Number of clients that are examined at a time. */
const sweptClients = 100

/** A client, with the resources that it uses. */
export class HttpClient implements Client {
  /** Number of open connections. */
  connections = 0
  worldBytes = 0
  /** Whether its latest response was long. Its next request then takes a turn. */
  hasLongResponse = false
  readonly worldLimit: number
  #streams = 0
  /** Resolves when the next control request of the client may be executed. */
  #turn: Promise<void> = Promise.resolve()
  readonly #worlds: RateWindow
  readonly #controlRequests: RateWindow

  constructor(
    readonly address: string,
    readonly isLocal: boolean,
    readonly clients: Clients,
  ) {
    const { platform, maxMemory } = clients.sandbox.settings
    const { clientMemory, clientWorlds, clientControlRequests } = clients.limits
    this.worldLimit = clientMemory ?? maxMemory / 2
    const createWindow = (limit: number, unit: string) =>
      new RateWindow(limit, `${unit} per minute and client`, platform.monotonic)
    this.#worlds = createWindow(clientWorlds, 'new worlds')
    this.#controlRequests = createWindow(clientControlRequests, 'control requests')
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

  /** Whether the client has no state and can be removed. */
  get isIdle(): boolean {
    const { received, waiting } = this.clients
    const bytes = this.worldBytes + received.usedBy(this) + waiting.usedBy(this)
    if (this.connections + this.#streams + bytes > 0) return false
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

/** The clients of a server by their address. */
export class Clients {
  readonly #clients = new Map<string, HttpClient>()
  readonly preparations = new Preparations()
  /** Bodies that are being received or processed. */
  readonly received: SharedBytes
  /** Headers of requests that wait. */
  readonly waiting: SharedBytes
  readonly unsent: UnsentBytes
  /** Number of open connections. */
  connections = 0
  /** Number of open event streams. */
  streams = 0
  /**
   * Whether the server accepts connections from this machine only. Undefined for another server: then,
   * clients on this machine are local.
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
    const client = new HttpClient(address, this.isLocal ?? isLoopback(ip ?? ''), this)
    if (this.#clients.size >= maximumClients) this.#sweep()
    this.#clients.set(address, client)
    return client
  }

  /**
   * Returns the client of a request behind trusted proxies: the address that they added to
   * X-Forwarded-For, or the address of the connection.
   */
  of(req: IncomingMessage, connectionClient: HttpClient): HttpClient {
    const address = readForwarded(req, 'X-Forwarded-For', this.limits)
    return isIP(address) === 0 ? connectionClient : this.find(address)
  }

  /** Returns the client with the most connections. */
  heaviest(): HttpClient | undefined {
    let heaviest: HttpClient | undefined
    for (const client of this.#clients.values()) {
      if (client.connections > (heaviest?.connections ?? 0)) heaviest = client
    }
    return heaviest
  }

  /** Removes idle clients, starting with the oldest ones. */
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
  // The URL parser removes leading zeros, so that each network has only one form.
  const { hostname } = new URL(`http://[${ip.replace(/%.*$/, '')}]`)
  const sides = hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = sides.map((side) => side.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}
