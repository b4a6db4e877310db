import { serviceRouter, splitTarget } from '../engine/route.js'
import { type AddressId, addresses } from '../service/addresses.js'
import { truncate } from '../service/validation/message.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'

/** Handling of a request to no address of the sandbox, as msw names it. */
export type UnhandledRequestStrategy = 'bypass' | 'warn' | 'error'

const retained = 10

/** Handles the requests to no address of a sandbox, and remembers them. */
export class UnhandledRequests {
  readonly #listeners = new Set<(message: string) => void>()

  constructor(
    readonly sandbox: InProcessSandbox,
    readonly strategy: UnhandledRequestStrategy,
  ) {}

  /**
   * Reports a request. Returns whether it must fail.
   *
   * @param url Absolute URL.
   */
  handle(method: string, url: string): boolean {
    const message = describeUnhandled(this.sandbox, method, url)
    for (const listener of this.#listeners) listener(message)
    if (this.strategy !== 'bypass') this.sandbox.core.settings.platform.warn(message)
    return this.strategy === 'error'
  }

  /**
   * Remembers the requests from now on. `describe` returns the last ten, one a line, or an empty
   * string.
   */
  record(): { describe(): string; stop(): void } {
    const messages: string[] = []
    const listener = (message: string) => {
      messages.push(message)
      if (messages.length > retained) messages.shift()
    }
    this.#listeners.add(listener)
    return {
      describe: () => {
        // A request to another service is expected, unless the strategy says otherwise.
        const isShown = (message: string) => this.strategy !== 'bypass' || message.includes('; did')
        return messages.filter(isShown).join('\n')
      },
      stop: () => this.#listeners.delete(listener),
    }
  }
}

/** Describes a request to no address of the sandbox, and suggests the address with its path. */
export function describeUnhandled(sandbox: InProcessSandbox, method: string, url: string): string {
  const shown = truncate(url.replace(/[?#].*/, ''))
  const hint = findSimilarUrl(sandbox, method, url)
  const end = hint === undefined ? '' : `; did you mean ${truncate(hint)}?`
  return `${method} ${shown} is to no address of the sandbox${end}`
}

/** Returns the URL at which the sandbox has the operation of a URL with another host or prefix. */
function findSimilarUrl(
  { bases }: InProcessSandbox,
  method: string,
  url: string,
): string | undefined {
  const { pathname } = new URL(url)
  const ids = Object.keys(bases) as AddressId[] // BaseUrls has every address
  const services = ids.filter((id) => addresses[id].api === 'service')
  for (const prefix of new Set(['', ...services.map((id) => bases[id].prefix)])) {
    if (!pathname.startsWith(`${prefix}/`)) continue
    const { path } = splitTarget(pathname.slice(prefix.length))
    const found = services.find((id) => serviceRouter.route(id, method, path).endpoint)
    if (found) return `${bases[found].text}${path}`
  }
  return undefined
}
