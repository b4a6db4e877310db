import { checkFormat, format, toReason } from './open.js'
import { StoreError } from './store.js'

/** The package @redis/client. */
export type RedisPackage = Pick<typeof import('@redis/client'), 'createClient' | 'defineScript'>

const minimumRetryMs = 50
const maximumRetryMs = 1_000

/**
 * Compares the version of a world with ARGV[1] (lineage) and ARGV[2] (number). If it is the stored one,
 * appends the step ARGV[4], if there is one. Returns 1; the milliseconds since the last append and the
 * steps since the version; or 0 if they are not available. ARGV[3]: time in milliseconds after which an
 * unused world expires, or an empty string.
 */
const append = `
local lineage, number, first, at =
  unpack(redis.call('HMGET', KEYS[1], 'lineage', 'number', 'first', 'at'))
local expected, step, time = tonumber(ARGV[2]), ARGV[4], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not lineage and step and expected == 0 then
  lineage, number, first = ARGV[1], 0, 1
  redis.call('HSET', KEYS[1], 'lineage', lineage, 'first', first, 'base', -1)
end
number, first = tonumber(number), tonumber(first)
if lineage ~= ARGV[1] or expected > number or expected + 1 < first then return 0 end
if expected < number then
  if number - expected > 1000 then return 0 end
  local since = {}
  for missing = expected + 1, number do since[#since + 1] = missing end
  since = redis.call('HMGET', KEYS[1], unpack(since))
  for _, found in ipairs(since) do if not found then return 0 end end
  return { now - at, unpack(since) }
end
if step then
  number = string.format('%d', number + 1)
  redis.call('HSET', KEYS[1], 'number', number, 'at', string.format('%d', now), number, step)
  if ARGV[3] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  redis.call('PUBLISH', KEYS[1], number .. ' ' .. lineage)
end
return 1`

/** Sets the base of the version in ARGV[1] and ARGV[2] to ARGV[3]. ARGV[4]: number of retained steps. */
const compact = `
local lineage, number, first, base =
  unpack(redis.call('HMGET', KEYS[1], 'lineage', 'number', 'first', 'base'))
local version = tonumber(ARGV[2])
if lineage ~= ARGV[1] or version > tonumber(number) or version < tonumber(base) then return end
local kept = math.max(first, version - ARGV[4] + 1)
for removed = first, kept - 1 do redis.call('HDEL', KEYS[1], string.format('%d', removed)) end
redis.call('HSET', KEYS[1], 'first', string.format('%d', kept), 'base', ARGV[2], 'data', ARGV[3])`

interface ConnectionOptions {
  readonly url: string
  readonly location: string
  readonly prefix: string
  readonly timeoutMs: number
}

function createClient(
  { createClient, defineScript }: RedisPackage,
  { url, timeoutMs }: ConnectionOptions,
  isOpened: () => boolean,
) {
  const define = (SCRIPT: string) =>
    defineScript({
      SCRIPT,
      NUMBER_OF_KEYS: 1,
      parseCommand(parser, key: string, args: readonly string[]) {
        parser.pushKey(key)
        parser.push(...args)
      },
      transformReply: (reply: unknown) => reply,
    })
  return createClient({
    url,
    scripts: { append: define(append), compact: define(compact) },
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
      reconnectStrategy: (retries) =>
        isOpened() && Math.min(minimumRetryMs * 2 ** retries, maximumRetryMs),
    },
  })
}

/** A client with the scripts. */
export type RedisClient = ReturnType<typeof createClient>

/** Receives a message. Undefined if messages may be missing. */
type ChannelListener = (message: string | undefined) => void

/**
 * A connection to Redis, and one for messages, which is opened with the first listener. Both are opened
 * again when they break or Redis does not respond. Until then, commands are rejected at once.
 */
export class RedisConnection {
  readonly #client: RedisClient
  readonly #subscriber: ReturnType<RedisClient['duplicate']>
  /** The channel of each listener. */
  readonly #listeners = new Map<ChannelListener, string>()
  /** Why the connection is broken. */
  #problem: unknown
  #isOpened = false

  private constructor(
    redis: RedisPackage,
    readonly options: ConnectionOptions,
  ) {
    this.#client = createClient(redis, options, () => this.#isOpened)
    this.#client.on('error', (error) => {
      this.#problem = error
    })
    this.#subscriber = this.#client.duplicate()
    // The client connects again.
    this.#subscriber.on('error', () => {})
    this.#subscriber.on('ready', () => {
      for (const [listener, channel] of this.#listeners) this.#subscribe(channel, listener)
    })
  }

  /** @throws {StoreError} If Redis cannot be reached or contains data of another format. */
  static async open(redis: RedisPackage, options: ConnectionOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(redis, options)
    try {
      await connection.#client.connect()
      await connection.check()
      connection.#isOpened = true
      return connection
    } catch (error) {
      await connection.close()
      throw connection.#toError(error)
    }
  }

  /** @throws {StoreError} If Redis does not respond. Its commands may have been executed. */
  async use<Result>(run: (client: RedisClient) => Promise<Result>): Promise<Result> {
    try {
      return await run(this.#client)
    } catch (error) {
      throw this.#toError(this.#client.isReady ? error : (this.#problem ?? error))
    }
  }

  /**
   * Checks the format, and sets the format of an empty database. This is a write, because a Redis that
   * is full or read-only can still be read.
   *
   * @throws {StoreError} If Redis cannot be written or contains data of another format.
   */
  async check(): Promise<void> {
    const { location, prefix } = this.options
    const key = `${prefix}:format`
    const found = await this.use(async (client) => {
      await client.set(key, format, { condition: 'NX' })
      return client.get(key)
    })
    checkFormat(location, found ?? format)
  }

  /** Adds a listener for the messages of a channel. Returns a function that removes it. */
  subscribe(channel: string, listener: ChannelListener): () => void {
    // The same function may be added more than once.
    const added: ChannelListener = (message) => listener(message)
    this.#listeners.set(added, channel)
    if (this.#subscriber.isReady) this.#subscribe(channel, added)
    // Rejects only if the client is closed.
    else if (!this.#subscriber.isOpen) this.#subscriber.connect().catch(() => {})
    return () => {
      this.#listeners.delete(added)
      if (this.#subscriber.isReady) this.#subscriber.unsubscribe(channel, added).catch(() => {})
    }
  }

  /** Completes the commands in progress, unless Redis does not respond, and closes the connections. */
  async close(): Promise<void> {
    this.#isOpened = false
    this.#listeners.clear()
    const opened = [this.#client, this.#subscriber].filter(({ isOpen }) => isOpen)
    const closed = Promise.all(opened.map((client) => client.close().catch(() => {})))
    const { timeoutMs } = this.options
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())])
  }

  #subscribe(channel: string, listener: ChannelListener): void {
    const notify = () => {
      if (this.#listeners.has(listener)) listener(undefined)
    }
    // Earlier messages are missing. If the connection breaks, the next one subscribes again.
    this.#subscriber.subscribe(channel, listener).then(notify, () => {})
  }

  #toError(error: unknown): StoreError {
    if (error instanceof StoreError) return error
    return new StoreError(`${this.options.location} cannot be used: ${toReason(error)}`)
  }
}
