import { maskApiKey } from '../../contract/api-key.js'
import { toPlainLine, truncate } from '../../validation/message.js'
import { CliError } from '../failure.js'
import { pickHeaders, type Received, readDate } from './received.js'

/** Exit code of a pull that cannot be completed. */
export const incomplete = 2

/** Timeout of a request with its response, in milliseconds. */
const timeoutMs = 30_000

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly apiKey: string
  /** Aborted on Ctrl-C. */
  readonly signal: AbortSignal
  /** Returns the time of this machine in milliseconds since the epoch. */
  readonly now: () => number
  /** Default: 30,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * An HTTP client for a deployment that is not trusted. Sends the key to no other host: it follows no
 * redirects. Limits the time of a request and the size of a response, and masks the key in what it
 * returns.
 */
export class DeploymentClient {
  readonly #options: ClientOptions
  readonly #mask: (text: string) => string

  constructor(options: ClientOptions) {
    this.#options = options
    this.#mask = createMask(options.apiKey)
  }

  get url(): string {
    return this.#options.url
  }

  /**
   * Sends a GET request.
   *
   * @param path Path below the base URL.
   * @param maximumBytes Maximum size of the body after decompression.
   * @throws {CliError} If there is no complete response. The message is one line.
   */
  async get(path: string, maximumBytes: number): Promise<Received> {
    const { url, apiKey, now } = this.#options
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? timeoutMs)
    const signal = AbortSignal.any([timeout, this.#options.signal])
    try {
      const response = await fetch(`${url}${path}`, {
        headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
        redirect: 'manual',
        signal,
      })
      const headers = pickHeaders((name) => this.#mask(response.headers.get(name) ?? '') || null)
      const sent = await readText(response, maximumBytes)
      const body = this.#mask(sent)
      const masked = body === sent ? {} : { isMasked: true }
      return { status: response.status, headers, body, atMs: readDate(headers, now()), ...masked }
    } catch (error) {
      if (this.#options.signal.aborted) throw new CliError('interrupted', incomplete)
      throw new CliError(`GET ${url}${path}: ${this.#toReason(error)}`, incomplete)
    }
  }

  /** Returns the reason for a missing response, such as the system's error code. */
  #toReason(error: unknown): string {
    if (!(error instanceof Error)) return 'no response'
    if (error.name === 'TimeoutError') {
      return `no complete response within ${(this.#options.timeoutMs ?? timeoutMs) / 1000} s`
    }
    const cause = error.cause instanceof Error ? error.cause : error
    const reason = 'code' in cause ? String(cause.code) : cause.message
    return toPlainLine(truncate(this.#mask(reason)))
  }
}

/** Minimum length of a key that is masked. */
const minimumSecret = 8

/** Returns a function that masks a key, which a server can repeat in what it sends. */
export function createMask(apiKey: string): (text: string) => string {
  const masked = maskApiKey(apiKey)
  // Not secret: the shared keys of a sandbox, and strings that are in bodies by chance.
  if (masked.startsWith(apiKey) || apiKey.length < minimumSecret) return (text) => text
  const escaped = JSON.stringify(apiKey).slice(1, -1)
  return (text) => text.replaceAll(apiKey, masked).replaceAll(escaped, masked)
}

/**
 * Reads a body as UTF-8.
 *
 * @throws {Error} If it is larger than the maximum, or not UTF-8.
 */
async function readText(response: Response, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    size += value.byteLength
    if (size > maximumBytes) {
      await reader?.cancel()
      throw new Error(`the body is larger than ${maximumBytes / 1_048_576} MiB`)
    }
    chunks.push(value)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new Error('the body is not UTF-8')
  }
}
