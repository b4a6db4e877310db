import { escapeId, importPackage, unescapeId } from './open.js'
import { RedisConnection, type RedisPackage } from './redis-connection.js'
import {
  type FollowListener,
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from './store.js'

/** Options of a store in Redis. */
export interface RedisStoreOptions {
  /** `redis://[user:password@]host[:port][/database]`, or `rediss:` with TLS. */
  readonly url: string
  /** Prefix of all keys, so that several services can share a Redis. Default: `petstore-sandbox`. */
  readonly prefix?: string | undefined
  /** Removes worlds without an append for this time. Default: keeps all worlds. */
  readonly keepMs?: number | undefined
  /** Time without a response after which Redis counts as unreachable. Default: 2000. */
  readonly timeoutMs?: number | undefined
}

/** Number of keys that one SCAN command examines. */
const scanCount = 1_000

/**
 * Connects to a Redis or Valkey server, with the package @redis/client. Several processes can use it at
 * the same time.
 *
 * @throws {StoreError} If the package is missing, the server cannot be reached, or it contains data of
 * an incompatible version of this one.
 */
export async function createRedisStore(
  options: RedisStoreOptions,
  load: () => Promise<unknown> = () => import('@redis/client'),
): Promise<Store> {
  const { url, keepMs, timeoutMs = 2_000 } = options
  const location = toLocation(url)
  const loaded = await importPackage('redis', '@redis/client', load)
  const redis = loaded as RedisPackage // or a replacement of a test
  const prefix = escapeId(options.prefix ?? 'petstore-sandbox')
  const connection = await RedisConnection.open(redis, { url, location, timeoutMs, prefix })
  return new RedisStore(connection, location, prefix, keepMs)
}

/** Returns the URL without the password. */
function toLocation(url: string): string {
  const location = URL.canParse(url) ? new URL(url) : undefined
  if (location?.protocol !== 'redis:' && location?.protocol !== 'rediss:') {
    throw new StoreError(
      'the URL of Redis must be of the form redis://host:port or rediss://host:port',
    )
  }
  location.username = ''
  location.password = ''
  location.search = ''
  return location.href
}

/**
 * A world is one hash, so that Redis evicts it as a whole. Its fields are `lineage`, `number` of the
 * last step, `first` retained step, `at` (time of the last append), `base` (number of the last step
 * that the base includes, −1 without a base), `data` of the base, and each step under its number. Its
 * key is also the channel whose messages state the version after each append.
 */
class RedisStore implements Store {
  readonly kind = 'redis'
  readonly isExclusive = false
  readonly #connection: RedisConnection
  /** Milliseconds, or an empty string. */
  readonly #keep: string

  constructor(
    connection: RedisConnection,
    readonly location: string,
    readonly prefix: string,
    keepMs: number | undefined,
  ) {
    this.#connection = connection
    this.#keep = keepMs === undefined ? '' : String(keepMs)
  }

  load(id: string): Promise<StoredWorld | undefined> {
    return this.#connection.use(async (client) => {
      const [hash, [seconds, microseconds]] = await Promise.all([
        client.hGetAll(this.#key(id)),
        client.time(),
      ])
      const { lineage, number, first, base, data = '', at } = hash
      if (lineage === undefined) return undefined
      const steps: (string | undefined)[] = []
      for (let step = Number(first); step <= Number(number); step += 1) steps.push(hash[step])
      return {
        version: { lineage, number: Number(number) },
        base: base === '-1' ? undefined : { number: Number(base), data },
        steps,
        ageMs: Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000) - Number(at),
      }
    })
  }

  append(id: string, version: Version, step: string): Promise<SinceResult> {
    return this.#run(id, version, [this.#keep, step])
  }

  readSince(id: string, version: Version): Promise<SinceResult> {
    return this.#run(id, version, [])
  }

  async compact(id: string, version: Version, data: string, retained: number): Promise<void> {
    const { lineage, number } = version
    const args = [lineage, String(number), data, String(retained)]
    await this.#connection.use((client) => client.compact(this.#key(id), args))
  }

  follow(id: string, listener: FollowListener): () => void {
    return this.#connection.subscribe(this.#key(id), (message) => {
      const [number = '', ...lineage] = message?.split(' ') ?? []
      listener(number === '' ? undefined : { number: Number(number), lineage: lineage.join(' ') })
    })
  }

  async remove(id: string): Promise<void> {
    const key = this.#key(id)
    await this.#connection.use((client) => Promise.all([client.del(key), client.publish(key, '')]))
  }

  list(): Promise<string[]> {
    const before = this.#key('').slice(0, -1)
    const MATCH = `${before.replace(/[*?[\]\\]/g, '\\$&')}*}`
    return this.#connection.use(async (client) => {
      const ids = new Set<string>()
      for await (const keys of client.scanIterator({ MATCH, COUNT: scanCount })) {
        for (const key of keys) ids.add(unescapeId(key.slice(before.length, -1)))
      }
      return [...ids]
    })
  }

  async saveSeed(id: string, data: string): Promise<void> {
    await this.#connection.use((client) => client.set(this.#seedKey(id), data))
  }

  async loadSeed(id: string): Promise<string | undefined> {
    const data = await this.#connection.use((client) => client.get(this.#seedKey(id)))
    return data ?? undefined
  }

  check(): Promise<void> {
    return this.#connection.check()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #run(
    id: string,
    { lineage, number }: Version,
    args: readonly string[],
  ): Promise<SinceResult> {
    const reply = await this.#connection.use((client) =>
      client.append(this.#key(id), [lineage, String(number), ...args]),
    )
    if (Array.isArray(reply)) {
      const [ageMs, ...steps] = reply
      return { type: 'behind', steps, ageMs }
    }
    return { type: reply === 1 ? 'current' : 'lost' }
  }

  #key(id: string): string {
    // The characters between the braces select the node of Redis Cluster.
    return `{${this.prefix}!${escapeId(id)}}`
  }

  #seedKey(id: string): string {
    return `${this.prefix}:seed:${escapeId(id)}`
  }
}
