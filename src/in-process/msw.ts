import type { HttpHandlerClass } from './handlers.js'

/**
 * Loads the class `HttpHandler` of msw. In Node.js, `#msw-http` is `msw/core/http`, which is a third of
 * msw; msw 3 does not export that path. Elsewhere, it is `msw`, which the page loads anyway.
 */
export async function loadHttpHandler(): Promise<HttpHandlerClass> {
  const { http } = await import(/* webpackIgnore: true */ '#msw-http').catch(() => import('msw'))
  if (!http) throw new Error('petstore-sandbox requires msw 2.15 or newer, found msw 1')
  // `msw/core/http` exports no classes.
  return http.all('*', () => undefined).constructor as HttpHandlerClass
}
