import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
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
import { isLoopback, readForwarded } from './hosts.js'

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

/** Turns of the event loop between two long tasks: more than the request of another client needs. */
const turnsForOthers = 10

/**
 * Performs preparations of scenarios, reports and snapshots one at a time, because each may use a large
 * part of the memory. Each client has at most one place in the queue.
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
      const limit = `${preparingClients} clients that prepare a scenario or report`
      throw createCapacityProblem(limit, 1)
    }
    this.#clients += 1
    const start = () => passTurns(turnsForOthers).then(prepare)
    const result = this.#last.then(start, start)
    this.#last = result
    return result.finally(() => (this.#clients -= 1))
  }
}

/** A number of bytes that the requests of all clients share. */
export class SharedBytes {
  used = 0
  readonly #usedBy = new Map<Client, number>()

  /** @param unit The counted unit, for messages: `bytes of request bodies`. */
  constructor(
    readonly limit: number,
    readonly unit: string,
  ) {}

  usedBy(client: Client): number {
    return this.#usedBy.get(client) ?? 0
  }

  /** Counts bytes towards a client. Returns false if there is no room for them. */
  tryAdd(client: Client, bytes: number): boolean {
    const own = this.usedBy(client) + bytes
    if (own > this.limit * clientShare) return false
    if (this.used + bytes > availableTo(this.limit, own)) return false
    this.used += bytes
    this.#usedBy.set(client, own)
    return true
  }

  /**
   * Counts bytes towards a client.
   *
   * @throws {Problem} sandbox_capacity
   */
  add(client: Client, bytes: number): void {
    if (this.tryAdd(client, bytes)) return
    const { limit, unit } = this
    const limits = `${limit} ${unit}, of which one client may use ${limit * clientShare}`
    throw createCapacityProblem(limits, 10)
  }

  remove(client: Client, bytes: number): void {
    this.used -= bytes
    const own = this.usedBy(client) - bytes
    if (own > 0) this.#usedBy.set(client, own)
    else this.#usedBy.delete(client)
  }
}

/**
 * The bytes of responses that have not been sent. Beyond the limit, closes the connections of the
 * client with the most.
 */
export class UnsentBytes {
  total = 0
  readonly #responses = new Map<ServerResponse, { client: Client; bytes: number }>()

  constructor(readonly limit: number) {}

  /** Sets the number of bytes of a response that have not been sent, until it is closed. */
  set(res: ServerResponse, client: Client, bytes: number): void {
    if (res.destroyed) return
    const known = this.#responses.get(res)
    if (!known && bytes === 0) return
    if (!known) res.once('close', () => this.#remove(res))
    this.total += bytes - (known?.bytes ?? 0)
    this.#responses.set(res, { client, bytes })
    if (this.total > this.limit) this.#closeHeaviest()
  }

  #remove(res: ServerResponse): void {
    this.total -= this.#responses.get(res)?.bytes ?? 0
    this.#responses.delete(res)
  }

  #closeHeaviest(): void {
    const sums = new Map<Client, number>()
    for (const { client, bytes } of this.#responses.values()) {
      sums.set(client, (sums.get(client) ?? 0) + bytes)
    }
    const [heaviest] = [...sums].reduce((most, sum) => (sum[1] > most[1] ? sum : most))
    for (const [res, { client, bytes }] of this.#responses) {
      if (client !== heaviest || bytes === 0) continue
      this.#remove(res)
      res.destroy()
    }
  }
}
