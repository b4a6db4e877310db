import type { RedisClientType } from '@redis/client'
import { closeClient } from './redis-connection.js'

/** Receives a message. Undefined if messages may be missing. */
export type ChannelListener = (message: string | undefined) => void

/**
 * Calls listeners after messages of channels. The connection is opened with the first listener. After
 * it was interrupted, all listeners are called once, because messages may be missing.
 */
export class RedisSubscriber {
  readonly #client: RedisClientType
  readonly #listeners = new Map<string, Set<ChannelListener>>()
  #isOpened = false

  /** @param client A client that is not connected yet. */
  constructor(client: RedisClientType) {
    this.#client = client
    // The client connects again.
    client.on('error', () => {})
    client.on('ready', () => {
      for (const channel of this.#listeners.keys()) this.#subscribe(channel)
    })
  }

  /** Adds a listener. Returns a function that removes it. */
  follow(channel: string, listener: ChannelListener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    // The same function may be added more than once.
    const added: ChannelListener = (message) => listener(message)
    listeners.add(added)
    if (!this.#listeners.has(channel)) {
      this.#listeners.set(channel, listeners)
      if (this.#client.isReady) this.#subscribe(channel)
      else this.#open()
    }
    return () => {
      if (!listeners.delete(added) || listeners.size > 0) return
      this.#listeners.delete(channel)
      if (this.#client.isReady) this.#unsubscribe(channel)
    }
  }

  /** Calls all listeners. */
  notifyAll(): void {
    for (const channel of [...this.#listeners.keys()]) this.#notify(channel)
  }

  async close(timeoutMs: number): Promise<void> {
    this.#listeners.clear()
    await closeClient(this.#client, timeoutMs)
  }

  #open(): void {
    if (this.#isOpened) return
    this.#isOpened = true
    // Rejects only if the client is closed.
    this.#client.connect().catch(() => {})
  }

  #subscribe(channel: string): void {
    this.#client
      .subscribe(channel, this.#onMessage)
      // Messages before the subscription are missing.
      .then(() => this.#notify(channel))
      // The connection is lost. The next one subscribes again.
      .catch(() => {})
  }

  #unsubscribe(channel: string): void {
    this.#client.unsubscribe(channel, this.#onMessage).catch(() => {})
  }

  readonly #onMessage = (message: string, channel: string) => {
    if (this.#listeners.has(channel)) this.#notify(channel, message)
    else this.#unsubscribe(channel)
  }

  #notify(channel: string, message?: string): void {
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(message)
  }
}
