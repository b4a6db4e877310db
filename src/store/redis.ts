import type { RedisClientType } from '@redis/client'
import { importPackage } from './import-package.js'
import type { RedisStoreOptions } from './options.js'
import { RedisConnection, type RedisPackage } from './redis-connection.js'
import { RedisSubscriber } from './redis-subscriber.js'
import {
  type AppendedRecord,
  type FollowListener,
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from './store.js'
import { escapeId, unescapeId } from './world-id.js'

/** Number of keys that one SCAN command examines. */
const scanCount = 1000

/**
 * Connects to a Redis or Valkey server, with the package @redis/client. Several processes can use it at
 * the same time.
 *
 * @throws {StoreError} If the package is missing, the server cannot be reached, or it contains data of
 * an incompatible version of this one.
 */
export async function createRedisStore(
  options: RedisStoreOptions,
  load: () => Promise<RedisPackage> = () => import('@redis/client'),
): Promise<Store> {
  const { url, keepMs, timeoutMs = 2000 } = options
  const location = toLocation(url)
  const redis = await importPackage('redis', '@redis/client', load)
  const prefix = escapeId(options.prefix ?? 'petstore-sandbox')
  const connection = new RedisConnection(redis, url, { prefix, location, timeoutMs })
  await connection.open()
  return new RedisStore(connection, { prefix, location, timeoutMs, keepMs })
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

interface Settings {
  readonly prefix: string
  readonly location: string
  readonly timeoutMs: number
  readonly keepMs: number | undefined
}

class RedisStore implements Store {
  readonly kind = 'redis'
  readonly location: string
  readonly isExclusive = false
  readonly #connection: RedisConnection
  readonly #subscriber: RedisSubscriber
  readonly #settings: Settings
  /** Milliseconds, or an empty string. */
  readonly #keep: string

  constructor(connection: RedisConnection, settings: Settings) {
    this.location = settings.location
    this.#connection = connection
    this.#settings = settings
    this.#keep = settings.keepMs === undefined ? '' : String(settings.keepMs)
    this.#subscriber = new RedisSubscriber(connection.client.duplicate() as RedisClientType)
    connection.onReady(() => this.#subscriber.notifyAll())
  }

  async load(id: string): Promise<StoredWorld | undefined> {
    const reply = await this.#connection.run('load', this.#keys(id))
    if (!Array.isArray(reply)) return undefined
    const [lineage, number, base, data, records] = reply
    return {
      version: { lineage, number },
      base: base < 0 ? undefined : { number: base, data },
      records,
    }
  }

  async append(id: string, { lineage, number }: Version, record: string): Promise<SinceResult> {
    const keys = this.#keys(id)
    return toSinceResult(
      await this.#connection.run('append', keys, lineage, String(number), record, this.#keep),
    )
  }

  async readSince(id: string, { lineage, number }: Version): Promise<SinceResult> {
    return toSinceResult(
      await this.#connection.run('readSince', this.#keys(id), lineage, String(number)),
    )
  }

  async compact(id: string, version: Version, data: string, retained: number): Promise<void> {
    const { lineage, number } = version
    const args = [lineage, String(number), data, String(retained)]
    await this.#connection.run('compact', this.#keys(id), ...args)
  }

  follow(id: string, listener: FollowListener): () => void {
    const channel = this.#keys(id)[0] ?? ''
    return this.#subscriber.follow(channel, (message) => listener(readAppended(message)))
  }

  async remove(id: string): Promise<void> {
    await this.#connection.run('remove', this.#keys(id))
  }

  async list(): Promise<string[]> {
    const before = `{${this.#settings.prefix}!`
    const after = '}:meta'
    const pattern = `${before.replace(/[*?[\]\\]/g, '\\$&')}*${after}`
    const ids = new Set<string>()
    let cursor = '0'
    do {
      const reply = await this.#connection.send(
        ...['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(scanCount)],
      )
      const [next, keys] = reply as [string, string[]]
      for (const key of keys) ids.add(unescapeId(key.slice(before.length, -after.length)))
      cursor = next
    } while (cursor !== '0')
    return [...ids]
  }

  async saveDocument(id: string, data: string): Promise<void> {
    await this.#connection.send('SET', this.#documentKey(id), data)
  }

  async loadDocument(id: string): Promise<string | undefined> {
    const data = await this.#connection.send('GET', this.#documentKey(id))
    return typeof data === 'string' ? data : undefined
  }

  async check(): Promise<void> {
    await this.#connection.send('PING')
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#subscriber.close(this.#settings.timeoutMs)])
  }

  #keys(id: string): string[] {
    // The characters between the braces select the node of Redis Cluster.
    const tag = `{${this.#settings.prefix}!${escapeId(id)}}`
    return [`${tag}:meta`, `${tag}:records`, `${tag}:base`]
  }

  #documentKey(id: string): string {
    return `${this.#settings.prefix}:document:${escapeId(id)}`
  }
}

/** Reads a message of the script `append`. Returns undefined if it has no record. */
function readAppended(message: string | undefined): AppendedRecord | undefined {
  if (!message) return undefined
  const lineageAt = message.indexOf(' ') + 1
  const recordAt = message.indexOf(' ', lineageAt) + 1
  const number = Number(message.slice(0, lineageAt))
  const lineage = message.slice(lineageAt, recordAt - 1)
  return { version: { lineage, number }, record: message.slice(recordAt) }
}

function toSinceResult(reply: unknown): SinceResult {
  if (Array.isArray(reply)) return { type: 'behind', records: reply }
  return { type: reply === 1 ? 'current' : 'lost' }
}
