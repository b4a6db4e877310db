import type { BrowserContext, Request } from '@playwright/test'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { describeUnhandled, type UnhandledRequests } from './unhandled-requests.js'

/** The part of Playwright's `Page` and `BrowserContext` that `routeSandbox` uses. */
export interface RouteTarget {
  route(
    matches: (url: URL) => boolean,
    handle: (route: PageRoute) => Promise<void>,
  ): Promise<unknown>
}

/** The part of Playwright's `Route` that `routeSandbox` uses. */
interface PageRoute {
  request(): {
    method(): string
    url(): string
    allHeaders(): Promise<Record<string, string>>
    postDataBuffer(): Uint8Array | null
  }
  fulfill(response: {
    status: number
    headers: Record<string, string>
    body: Buffer
  }): Promise<void>
  abort(reason: string): Promise<void>
}

/**
 * Routes the requests of a page, or of all pages of a browser context, to a sandbox. Requests to
 * other addresses are not affected.
 */
export async function routeSandbox(target: RouteTarget, sandbox: InProcessSandbox): Promise<void> {
  await target.route(
    (url) => sandbox.answers(url.href),
    (route) => respond(route, sandbox),
  )
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

async function respond(route: PageRoute, sandbox: InProcessSandbox): Promise<void> {
  const request = route.request()
  const headers = toFetchHeaders(await request.allHeaders())
  const init = { method: request.method(), headers, body: toBody(request.postDataBuffer()) }
  const response = await sandbox.fetch(request.url(), init).catch(() => undefined)
  if (!response) return route.abort('connectionreset')
  // Playwright can only fulfil a route with a complete body, and an event stream does not end.
  if (response.headers.get('Content-Type') === 'text/event-stream') return route.abort('aborted')
  const body = await response.arrayBuffer().catch(() => undefined)
  if (!body) return route.abort('connectionclosed')
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(body),
  })
}

/** Copies the bytes into a buffer of the type that Fetch requires. */
function toBody(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null {
  return bytes && new Uint8Array(bytes)
}

/**
 * Returns the headers as a service worker would see them. Omits the pseudo-headers of HTTP/2, which
 * Fetch rejects, and the headers that name the page's origin, so that the page may use the control
 * API.
 */
function toFetchHeaders(headers: Record<string, string>): Record<string, string> {
  const visible = Object.entries(headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'origin' && !name.startsWith('sec-fetch-'),
  )
  return Object.fromEntries(visible)
}
