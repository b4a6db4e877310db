import type { RequestHandler } from 'msw'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { serveHandlers } from './addresses.js'
import { defaultHttpLimits, type HttpLimits } from './limits.js'
import { type ListenOptions, listen } from './listen.js'
import { GuardedServer } from './node-server.js'
import { createRest } from './rest.js'
import { createUserListener } from './user-handlers.js'

/** How a server closes. */
export interface CloseOptions {
  /**
   * How long `/readyz` answers 503 while everything else is still served, so that a load balancer
   * notices, in milliseconds. Default: 0.
   */
  readonly noticeMs?: number
  /** How long answers in flight may take before they are cut off. Default: 10,000. */
  readonly timeoutMs?: number
}

/** What a server is made from. */
export interface SandboxServerParts {
  readonly sandbox: InProcessSandbox
  readonly handlers: readonly RequestHandler[]
  readonly limits: Partial<HttpLimits>
  /** The files of the console. */
  readonly consoleDirectory: URL
}

/** A sandbox over HTTP. */
export class SandboxServer {
  /** What answers; steer it from the same process as any other. */
  readonly sandbox: InProcessSandbox
  readonly #http: GuardedServer
  #isClosing = false
  #opening: Promise<string> | undefined
  #closed: Promise<void> | undefined

  constructor({ sandbox, handlers, limits, consoleDirectory }: SandboxServerParts) {
    const isClosing = () => this.#isClosing
    const reportError = (error: unknown) => sandbox.core.reportError(error)
    this.sandbox = sandbox
    this.#http = new GuardedServer({
      addresses: serveHandlers(sandbox),
      limits: { ...defaultHttpLimits, ...limits },
      userHandlers: handlers.length > 0 ? createUserListener(handlers) : undefined,
      rest: createRest({
        consoleDirectory,
        isClosing,
        reportError,
        allowsAnyPage: handlers.length > 0,
      }),
      isClosing,
      reportError,
    })
  }

  /**
   * Begins to listen. After a failure it may be called again, and after `close()` no more.
   *
   * @returns The server's URL, such as `http://127.0.0.1:4010`.
   * @throws {Error} With one line that says why: the port is in use, or not permitted.
   * @throws {TypeError} When an option is unknown or does not fit.
   */
  async listen(options: ListenOptions = {}): Promise<string> {
    if (this.#isClosing) throw new Error('cannot listen: the server is closed; make another one')
    if (this.#opening !== undefined) {
      throw new Error('cannot listen: the server listens already; make another one')
    }
    this.#opening = listen(this.#http, options)
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  /**
   * Takes no new connections, ends the idle ones, and resolves when every call in flight is
   * answered or the time is over. A second call resolves with the first.
   */
  close(options: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#close(options)
    return this.#closed
  }

  async #close({ noticeMs = 0, timeoutMs = 10_000 }: CloseOptions): Promise<void> {
    this.#isClosing = true
    // Node cannot close a server that looks up its host: it would listen afterwards all the same.
    await this.#opening?.catch(() => undefined)
    if (noticeMs > 0) await this.sandbox.core.sleep(noticeMs)
    const timer = setTimeout(() => this.#http.openConnections.destroyAll(), timeoutMs)
    // The only error is that the server does not listen, and then it is closed already.
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
    clearTimeout(timer)
  }
}
