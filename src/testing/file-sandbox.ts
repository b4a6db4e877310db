import type { HttpHandler } from 'msw'
import { loadHttpHandler } from '../transport/in-process/create.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import type { TestContext } from './stray-requests.js'
import { sandboxDefaults } from './test-sandbox.js'
import { type UnhandledRequestStrategy, UnhandledRequests } from './unhandled-requests.js'

/** The parts of the fixtures that depend on the runtime: Node.js, or a browser. */
export interface TestRuntime<Options> {
  createSandbox(options: Options): Promise<InProcessSandbox>
  /**
   * Starts to intercept requests. Returns a function that stops it.
   *
   * @throws {Error} If the requests are already intercepted.
   */
  intercept(handlers: HttpHandler[], options: Options): Promise<() => unknown>
  /** Assigns requests to tests that run at the same time. Browsers cannot. */
  readonly tests?: TestContext
  /** Whether the test runner itself sent a request to no address of the sandbox. */
  isOwnRequest(request: Request): boolean
}

interface OpenSandbox<Options> {
  readonly options: Options
  readonly strategy: UnhandledRequestStrategy
  readonly started: Promise<StartedSandbox>
  users: number
}

interface StartedSandbox {
  readonly sandbox: InProcessSandbox
  readonly unhandled: UnhandledRequests
  readonly stop: () => unknown
}

/** The sandbox of the running test file, which `test` and everything that extends it share. */
export class FileSandbox<Options extends object> {
  #open: OpenSandbox<Options> | undefined

  constructor(readonly runtime: TestRuntime<Options>) {}

  /** Requests to no address of the sandbox. Undefined if another server intercepts. */
  unhandled: UnhandledRequests | undefined

  /**
   * Starts the sandbox and the interception, or joins the running one.
   *
   * @throws {Error} If the running sandbox has other options.
   */
  async join(options: Options, strategy: UnhandledRequestStrategy): Promise<InProcessSandbox> {
    this.#open ??= { options, strategy, started: this.#start(options, strategy), users: 0 }
    const open = this.#open
    if (open.strategy !== strategy || !isSame(open.options, options)) throw new Error(otherOptions)
    open.users += 1
    try {
      const { sandbox, unhandled } = await open.started
      this.unhandled = unhandled
      return sandbox
    } catch (error) {
      if (this.#open === open) this.#open = undefined
      throw error
    }
  }

  /** Stops the interception after the last call. */
  async leave(): Promise<void> {
    const open = this.#open
    if (!open) return
    open.users -= 1
    if (open.users > 0) return
    this.#open = undefined
    this.unhandled = undefined
    const { stop } = await open.started
    await stop()
  }

  async #start(options: Options, strategy: UnhandledRequestStrategy): Promise<StartedSandbox> {
    const sandbox = await this.runtime.createSandbox({ ...sandboxDefaults, ...options })
    const unhandled = new UnhandledRequests(sandbox, strategy)
    const HandlerClass = await loadHttpHandler()
    // The option of msw has another name and other parameters in msw 3.
    const fallback = new HandlerClass(/.+/, '*', ({ request }) => {
      if (this.runtime.isOwnRequest(request)) return undefined
      return unhandled.handle(request.method, request.url) ? Response.error() : undefined
    })
    const stop = await this.runtime.intercept([...sandbox.handlers, fallback], options)
    return { sandbox, unhandled, stop }
  }
}

const otherOptions =
  'the tests of this file already share a sandbox with other options; ' +
  'set sandboxOptions and onUnhandledRequest once, at the top of the file, before test.extend'

/** Whether two objects have the same fields. Functions are compared by identity. */
function isSame(a: object, b: object): boolean {
  return Object.keys({ ...a, ...b }).every((name) => {
    const [first, second]: unknown[] = [Reflect.get(a, name), Reflect.get(b, name)]
    if (first === second) return true
    const isData = typeof first === typeof second && typeof first !== 'function'
    return isData && JSON.stringify(first) === JSON.stringify(second)
  })
}
