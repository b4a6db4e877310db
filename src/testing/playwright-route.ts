import { AsyncLocalStorage } from 'node:async_hooks'
import type { BrowserContext, Page, Request, Route } from '@playwright/test'
import { platform } from '../engine/platform.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import { describeUnhandled, type UnhandledRequests } from './unhandled-requests.js'

/** A page of Playwright, or a browser context with its pages. */
export type RouteTarget = Page | BrowserContext

/**
 * Routes the requests of a page, or of all pages of a browser context, to a sandbox. Requests to
 * other addresses are not affected.
 */
export async function routeSandbox(target: RouteTarget, sandbox: InProcessSandbox): Promise<void> {
  const deliveries = new Deliveries(sandbox)
  const waiting = new Map<Request, AbortController>()
  target.on('requestfailed', (request) => waiting.get(request)?.abort())
  await target.route(
    (url) => sandbox.answers(url.href),
    async (route) => {
      const request = route.request()
      const controller = new AbortController()
      const abort = () => controller.abort()
      const page = findPage(request)
      // A page that closes emits no event for its requests.
      page?.once('close', abort)
      waiting.set(request, controller)
      try {
        await deliveries.track(() => respond(route, sandbox, controller.signal))
      } finally {
        waiting.delete(request)
        page?.off('close', abort)
      }
    },
  )
}

/** Returns the page of a request. Undefined if there is none, or if it may not exist yet. */
function findPage(request: Request): Page | undefined {
  if (request.serviceWorker() || request.isNavigationRequest()) return undefined
  return request.frame().page()
}

/**
 * Reports the requests of a browser context by `fetch` and `XMLHttpRequest` that are to no address of
 * the sandbox, and fails them if it is configured.
 */
export async function routeUnhandled(
  context: BrowserContext,
  unhandled: UnhandledRequests,
): Promise<void> {
  const isUnhandled = (url: URL) => !unhandled.sandbox.answers(url.href)
  const mustFail = (request: Request) => {
    const isByScript = ['fetch', 'xhr'].includes(request.resourceType())
    return isByScript && unhandled.handle(request.method(), request.url())
  }
  if (unhandled.strategy === 'bypass') {
    context.on('request', (request) => {
      if (isUnhandled(new URL(request.url()))) mustFail(request)
    })
    return
  }
  await context.route(isUnhandled, (route) =>
    mustFail(route.request()) ? route.abort('blockedbyclient') : route.fallback(),
  )
}

/** Returns a function that reports an unhandled request, and returns an error if it must fail. */
export function toRejection(
  unhandled: UnhandledRequests,
): (method: string, url: string) => Error | undefined {
  return (method, url) =>
    unhandled.handle(method, url)
      ? new Error(describeUnhandled(unhandled.sandbox, method, url))
      : undefined
}

/** Resolves when the page has received the response, or has stopped waiting for it. */
async function respond(
  route: Route,
  sandbox: InProcessSandbox,
  signal: AbortSignal,
): Promise<void> {
  const request = route.request()
  const headers = toFetchHeaders(await request.allHeaders())
  const body = toBody(request.postDataBuffer())
  const init = { method: request.method(), headers, body, signal }
  const response = await sandbox.send(request.url(), init).catch(() => undefined)
  if (!response) return route.abort('connectionreset')
  // Playwright can only fulfil a route with a complete body, and an event stream does not end.
  if (response.headers.get('Content-Type') === 'text/event-stream') return route.abort('aborted')
  const bytes = await response.arrayBuffer().catch(() => undefined)
  if (!bytes) return route.abort('connectionclosed')
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(bytes),
  })
  await waitForArrival(request)
}

/** Real time for a page to read a body, in milliseconds. */
const readingMs = 250

/** Resolves when the page has read the response, or after the time to read it. */
async function waitForArrival(request: Request): Promise<void> {
  try {
    const response = await request.response()
    // A response whose body the page does not read is never finished.
    if (response) await Promise.race([response.finished(), platform.sleep(readingMs)])
  } catch {
    // The page has closed.
  }
}

/** Copies the bytes into a buffer of the type that Fetch requires. */
function toBody(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null {
  return bytes && new Uint8Array(bytes)
}

/**
 * Returns the headers that a service worker would receive. Omits the pseudo-headers of HTTP/2, which
 * Fetch rejects, and the headers that name the page's origin, so that the page may use the control API.
 */
function toFetchHeaders(headers: Record<string, string>): Record<string, string> {
  const visible = Object.entries(headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'origin' && !name.startsWith('sec-fetch-'),
  )
  return Object.fromEntries(visible)
}

/** The responses of a sandbox that a page has not received yet. `requests.waitFor` waits for them. */
class Deliveries {
  /** The functions to call when the current response has arrived. */
  readonly #actions = new AsyncLocalStorage<(() => void)[]>()
  constructor(sandbox: InProcessSandbox) {
    // Called for each entry while the request is handled, and therefore in its async context.
    sandbox.core.requests.add(({ id }, { journal: { unsent } }) => {
      const actions = this.#actions.getStore()
      if (!actions) return
      const arrived = new Promise<void>((resolve) => actions.push(resolve))
      unsent.set(id, arrived)
      actions.push(() => unsent.delete(id))
    })
  }

  /** Sends a request to the sandbox and its response to the page, both in the action. */
  async track(deliver: () => Promise<void>): Promise<void> {
    const actions: (() => void)[] = []
    try {
      await this.#actions.run(actions, deliver)
    } finally {
      for (const action of actions) action()
    }
  }
}
