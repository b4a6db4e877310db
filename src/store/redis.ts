import { checkFormat, format, importPackage, toReason } from './open.js'
import { type NewStep, type Store, type StoredWorld, StoreError, type Version } from './store.js'

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

/** Number of steps that `readSince` can return. With more, loading the world takes less time. */
const maximumSince = 50

/**
 * Connects to a Redis or Valkey server, with the package @redis/client. Several processes can use it at
 * the same time.
 *
 * @throws {StoreError} If the package is missing, the server cannot be reached, or it contains data of
 * an incompatible version of this one.
 */
export async function createRedisStore(options: RedisStoreOptions): Promise<Store> {
  const location = toLocation(options.url)
  const redis = await importPackage('redis', '@redis/client', () => import('@redis/client'))
  const store = new RedisStore(redis, location, options)
  await store.open()
  return store
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
 * last step, `first` retained step, `at` (time of the last append), `data` of the base, `base` (number
 * of the last step that it includes), and each step under its number. Its key is also the channel of a
 * message after each append. The connection for messages is opened with the first listener.
 * Connections are opened again when they break or Redis does not respond; until then, commands are
 * rejected at once.
 */
class RedisStore implements Store {
  readonly kind = 'redis'
  readonly #client: RedisClient
  readonly #subscriber: ReturnType<RedisClient['duplicate']>
  readonly #prefix: string
  readonly #timeoutMs: number
  /** Milliseconds, or an empty string. */
  readonly #keep: string
  /** Why the connection is broken. */
  #problem: unknown
  #isOpened = false

  constructor(
    redis: RedisPackage,
    readonly location: string,
    { url, prefix = 'petstore-sandbox', keepMs, timeoutMs = 2_000 }: RedisStoreOptions,
  ) {
    // No key of one prefix begins with another prefix.
    this.#prefix = prefix.replaceAll(/[%!}]/g, (found) => `%${found.charCodeAt(0).toString(16)};`)
    this.#keep = String(keepMs ?? '')
    this.#timeoutMs = timeoutMs
    this.#client = createClient(redis, url, timeoutMs, () => this.#isOpened)
    this.#client.on('error', (error) => {
      this.#problem = error
    })
    this.#subscriber = this.#client.duplicate()
    // Each followed world adds one.
    this.#subscriber.setMaxListeners(0)
    // The client reconnects by itself.
    this.#subscriber.on('error', () => {})
  }

  /** @throws {StoreError} If Redis cannot be reached or contains data of another format. */
  async open(): Promise<void> {
    try {
      await this.#access((client) => client.connect())
      await this.check()
      this.#isOpened = true
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async load(id: string): Promise<StoredWorld | undefined> {
    const [hash, time] = await this.#access((client) =>
      Promise.all([client.hGetAll(this.#key(id)), client.time()]),
    )
    const { lineage, number, first, base, data, at } = hash
    if (lineage === undefined) return undefined
    const steps: (string | undefined)[] = []
    for (let step = Number(first); step <= Number(number); step += 1) steps.push(hash[step])
    return {
      version: { lineage, number: Number(number) },
      base: data === undefined ? undefined : { number: Number(base), data },
      steps,
      ageMs: toAge(at, time),
    }
  }

  append(id: string, version: Version, { step, base, retained = 1 }: NewStep): Promise<boolean> {
    const { lineage, number } = version
    const bases = base === undefined ? [] : [base, String(retained)]
    const args = [lineage, String(number), step, this.#keep, ...bases]
    return this.#access((client) => client.appendStep(this.#key(id), args))
  }

  async readSince(id: string, { lineage, number }: Version): Promise<StoredWorld | undefined> {
    const numbers = Array.from({ length: maximumSince }, (_, at) => String(number + 1 + at))
    const [[stored, last, at, ...found], time] = await this.#access((client) =>
      Promise.all([
        client.hmGet(this.#key(id), ['lineage', 'number', 'at', ...numbers]),
        client.time(),
      ]),
    )
    const steps = found.filter((step) => step !== null)
    if (stored !== lineage || steps.length !== Number(last) - number) return undefined
    const version = { lineage, number: number + steps.length }
    return { version, base: undefined, steps, ageMs: toAge(at, time) }
  }

  follow(id: string, listener: () => void): () => void {
    const key = this.#key(id)
    const subscriber = this.#subscriber
    // The same function may be added more than once.
    const notify = () => listener()
    // Earlier messages are missing. If the connection breaks, the next one subscribes again.
    const subscribe = () => void subscriber.subscribe(key, notify).then(notify, () => {})
    subscriber.on('ready', subscribe)
    if (subscriber.isReady) subscribe()
    // Rejects only if the client is closed.
    else if (this.#isOpened && !subscriber.isOpen) subscriber.connect().catch(() => {})
    return () => {
      subscriber.off('ready', subscribe)
      if (subscriber.isReady) subscriber.unsubscribe(key, notify).catch(() => {})
    }
  }

  async removeOthers(ids: readonly string[]): Promise<void> {
    const kept = new Set(ids.map((id) => this.#key(id)))
    const start = this.#key('').slice(0, -1)
    const MATCH = `${start.replace(/[*?[\]\\]/g, '\\$&')}*}`
    await this.#access(async (client) => {
      for await (const keys of client.scanIterator({ MATCH, COUNT: 1_000 })) {
        const removed = keys.filter((key) => !kept.has(key))
        await Promise.all(removed.flatMap((key) => [client.del(key), client.publish(key, '')]))
      }
    })
  }

  async saveSeed(id: string, read: () => string): Promise<void> {
    const key = `${this.#prefix}:seed:${id}`
    await this.#access(async (client) => (await client.exists(key)) || client.set(key, read()))
  }

  async loadSeed(id: string): Promise<string | undefined> {
    return (await this.#access((client) => client.get(`${this.#prefix}:seed:${id}`))) ?? undefined
  }

  /** Writes, because a Redis that is full or read-only can still be read. */
  async check(): Promise<void> {
    const key = `${this.#prefix}:format`
    const found = await this.#access(async (client) => {
      await client.set(key, format, { condition: 'NX' })
      return client.get(key)
    })
    checkFormat(this.location, found ?? format)
  }

  /** Completes the commands in progress, unless Redis does not respond, and closes the connections. */
  async close(): Promise<void> {
    this.#isOpened = false
    const opened = [this.#client, this.#subscriber].filter(({ isOpen }) => isOpen)
    const closed = Promise.all(opened.map((client) => client.close().catch(() => {})))
    const timeout = new Promise((resolve) => setTimeout(resolve, this.#timeoutMs).unref())
    await Promise.race([closed, timeout])
  }

  /** @throws {StoreError} If Redis does not respond. Its commands may have been executed. */
  #access<Result>(run: (client: RedisClient) => Promise<Result>): Promise<Result> {
    return run(this.#client).catch((error) => {
      const reason = toReason(this.#client.isReady ? error : (this.#problem ?? error))
      throw new StoreError(`${this.location} cannot be used: ${reason}`)
    })
  }

  #key(id: string): string {
    // The characters between the braces select the node of Redis Cluster.
    return `{${this.#prefix}!${id}}`
  }
}

/** Returns the milliseconds since a time on the clock of Redis. */
function toAge(at: string | null | undefined, time: readonly string[]): number {
  const [seconds = 0, microseconds = 0] = time.map(Number)
  return seconds * 1_000 + Math.floor(microseconds / 1_000) - Number(at)
}

/** The package @redis/client. */
type RedisPackage = Pick<typeof import('@redis/client'), 'createClient' | 'defineScript'>

/**
 * Appends a step to a world if it still has a version: ARGV[1] (lineage) and ARGV[2] (number). ARGV[3]:
 * the step. ARGV[4]: time in milliseconds after which an unused world expires, or an empty string.
 * ARGV[5]: the base after the step, if it replaces the base. ARGV[6]: number of steps up to it that are
 * retained. Returns whether the step was appended: 1 or 0.
 */
const script = `
local key, lineage, expected, step, keep, base, retained = KEYS[1], unpack(ARGV)
local time = redis.call('TIME')
local stored, number, first = unpack(redis.call('HMGET', key, 'lineage', 'number', 'first'))
if not stored then stored, number, first = lineage, 0, 1 end
if stored ~= lineage or tonumber(number) ~= tonumber(expected) then return 0 end
number, first = number + 1, tonumber(first)
if base then
  local kept = math.max(first, number - retained + 1)
  for removed = first, kept - 1 do redis.call('HDEL', key, removed) end
  first = kept
  redis.call('HSET', key, 'base', number, 'data', base)
end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', key, 'lineage', lineage, 'number', number, 'first', first, 'at', now, number, step)
if keep ~= '' then redis.call('PEXPIRE', key, keep) end
redis.call('PUBLISH', key, number)
return 1`

/**
 * Creates a client with the script as the command `appendStep`.
 *
 * @param isOpened Whether a connection that breaks is opened again.
 */
function createClient(
  { createClient, defineScript }: RedisPackage,
  url: string,
  timeoutMs: number,
  isOpened: () => boolean,
) {
  const appendStep = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, args: readonly string[]) {
      parser.pushKey(key)
      parser.push(...args)
    },
    transformReply: (reply: number) => reply === 1,
  })
  return createClient({
    url,
    scripts: { appendStep },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // The pings prevent that the timeout of the socket closes an unused connection.
    pingInterval: timeoutMs / 2,
    // A timer for each command would cost more than the command.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // The first connection is not retried, so that a wrong address is reported.
      reconnectStrategy: (retries) => isOpened() && Math.min(50 * 2 ** retries, 1_000),
    },
  })
}

type RedisClient = ReturnType<typeof createClient>
