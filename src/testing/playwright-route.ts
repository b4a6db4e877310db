import type { InProcessSandbox } from '../in-process/sandbox.js'

/** What of Playwright's `Page` and `BrowserContext` is needed. */
export interface RouteTarget {
  route(
    matches: (url: URL) => boolean,
    handle: (route: PageRoute) => Promise<void>,
  ): Promise<unknown>
}

/** What of Playwright's `Route` is needed. */
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

/** Lets a sandbox answer what a page, or all pages of a context, ask of the service's addresses. */
export async function routeSandbox(target: RouteTarget, sandbox: InProcessSandbox): Promise<void> {
  await target.route(
    (url) => sandbox.answers(url.href),
    (route) => answer(route, sandbox),
  )
}

async function answer(route: PageRoute, sandbox: InProcessSandbox): Promise<void> {
  const request = route.request()
  const headers = toFetchHeaders(await request.allHeaders())
  const init = { method: request.method(), headers, body: toBody(request.postDataBuffer()) }
  const response = await sandbox.fetch(request.url(), init).catch(() => undefined)
  if (!response) return route.abort('connectionreset')
  // A route is answered as a whole: it can carry no stream without an end.
  if (response.headers.get('Content-Type') === 'text/event-stream') return route.abort('aborted')
  const body = await response.arrayBuffer().catch(() => undefined)
  if (!body) return route.abort('connectionclosed')
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(body),
  })
}

/** The bytes in memory of their own, as Fetch wants them. */
function toBody(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null {
  return bytes && new Uint8Array(bytes)
}

/**
 * The headers as a service worker would see them: without those of HTTP/2, which Fetch has not, and
 * without those that tell where a page comes from, so that the page of a test may steer its world.
 */
function toFetchHeaders(headers: Record<string, string>): Record<string, string> {
  const seen = Object.entries(headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'origin' && !name.startsWith('sec-fetch-'),
  )
  return Object.fromEntries(seen)
}
