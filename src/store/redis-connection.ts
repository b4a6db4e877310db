import type { RedisClientOptions, RedisClientType } from '@redis/client'
import { readErrorField } from '../service/validation/message.js'
import { type ScriptName, scripts } from './redis-scripts.js'
import { StoreError } from './store.js'

/** The package @redis/client. */
export type RedisPackage = Pick<typeof import('@redis/client'), 'createClient'>

/** Version of the layout in redis-scripts.ts. Increment it when the layout changes. */
const format = '1'
const minimumRetryMs = 50
const maximumRetryMs = 1000

/**
 * A connection to Redis. It is opened again when it breaks. Until then, commands are rejected at once.
 * A connection on which Redis does not respond is closed.
 */
export class RedisConnection {
  readonly client: RedisClientType
  readonly #formatKey: string
  readonly #location: string
  readonly #timeoutMs: number
  readonly #hashes = new Map<ScriptName, string>()
  readonly #listeners = new Set<() => void>()
  /** Whether Redis responds and has the right format. */
  #isUsable = false
  #isOpened = false
  /** Check of the format that is in progress. */
  #checking: Promise<void> | undefined
  /** Why Redis is not usable. */
  #problem: unknown
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    { createClient }: RedisPackage,
    url: string,
    { prefix, location, timeoutMs }: { prefix: string; location: string; timeoutMs: number },
  ) {
    this.#formatKey = `${prefix}:format`
    this.#location = location
    this.#timeoutMs = timeoutMs
    const options: RedisClientOptions = {
      url,
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
          this.#isOpened && Math.min(minimumRetryMs * 2 ** retries, maximumRetryMs),
      },
    }
    this.client = createClient(options) as RedisClientType
    this.client.on('error', (error) => this.#setProblem(error))
    this.client.on('ready', () => void this.#check())
  }

  /** @throws {StoreError} If Redis cannot be reached or contains data of another format. */
  async open(): Promise<void> {
    try {
      await this.client.connect()
    } catch (error) {
      throw this.toError(error)
    }
    await this.#checking
    if (!this.#isUsable) {
      await this.close()
      throw this.toError(this.#problem)
    }
    this.#isOpened = true
  }

  /** Calls a listener each time when Redis can be used again. */
  onReady(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /**
   * Runs a script.
   *
   * @throws {StoreError} If Redis does not respond. The script may have run.
   */
  async run(name: ScriptName, keys: readonly string[], ...args: readonly string[]) {
    const hash = this.#hashes.get(name) ?? ''
    try {
      return await this.send('EVALSHA', hash, String(keys.length), ...keys, ...args)
    } catch (error) {
      if (!readErrorField(error, 'message')?.includes('NOSCRIPT')) throw error
      // Another client has removed all scripts.
      return this.send('EVAL', scripts[name], String(keys.length), ...keys, ...args)
    }
  }

  /** @throws {StoreError} If Redis does not respond. The command may have been executed. */
  async send(...command: string[]): Promise<unknown> {
    if (!this.#isUsable || !this.client.isReady) await this.#waitForCheck()
    try {
      return await this.client.sendCommand(command)
    } catch (error) {
      throw this.toError(error)
    }
  }

  toError(error: unknown): StoreError {
    if (error instanceof StoreError) return error
    return new StoreError(`${this.#location} cannot be used: ${toReason(error)}`)
  }

  /** Completes the commands in progress and closes the connection. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isOpened = false
    await closeClient(this.client, this.#timeoutMs)
  }

  async #waitForCheck(): Promise<void> {
    if (this.client.isReady) await this.#checking
    if (!this.#isUsable || !this.client.isReady) {
      throw this.toError(this.#problem ?? 'the connection is closed')
    }
  }

  /** Loads the scripts and checks the format. Tries again later if Redis is not ready. */
  #check(): Promise<void> {
    this.#isUsable = false
    const checking = this.#loadScripts()
      .then(() => {
        this.#isUsable = true
      })
      .catch((error: unknown) => {
        this.#setProblem(error)
        this.#retry()
      })
      .then(() => {
        this.#checking = undefined
        if (this.#isUsable) for (const listener of this.#listeners) listener()
      })
    this.#checking = checking
    return checking
  }

  async #loadScripts(): Promise<void> {
    const { client } = this
    const names = Object.keys(scripts) as ScriptName[]
    const hashes = await Promise.all(
      names.map((name) => client.sendCommand(['SCRIPT', 'LOAD', scripts[name]])),
    )
    for (const [at, name] of names.entries()) this.#hashes.set(name, String(hashes[at]))
    const hash = this.#hashes.get('openFormat') ?? ''
    const stored: unknown = await client.sendCommand([
      'EVALSHA',
      hash,
      '1',
      this.#formatKey,
      format,
    ])
    if (stored === format) return
    const found = String(stored).slice(0, 100)
    throw new StoreError(
      `${this.#location} has the format ${found} in ${this.#formatKey}, this version of petstore-sandbox reads format ${format}`,
    )
  }

  #retry(): void {
    clearTimeout(this.#timer)
    if (!this.#isOpened) return
    this.#timer = setTimeout(() => {
      if (this.client.isReady) void this.#check()
    }, maximumRetryMs)
  }

  #setProblem(error: unknown): void {
    this.#problem = error
  }
}

/** Closes a client after the commands in progress, or when Redis does not respond for a time. */
export async function closeClient(client: RedisClientType, timeoutMs: number): Promise<void> {
  if (!client.isOpen) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([client.close(), timeout])
  clearTimeout(timer)
}

/** Returns the reason of an error in one line. */
function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return toReason(error.errors[0])
  const message = readErrorField(error, 'message') || readErrorField(error, 'code')
  return (message ?? String(error)).replaceAll('\n', ' ')
}
