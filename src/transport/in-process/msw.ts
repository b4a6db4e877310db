import type { HttpHandlerClass } from './handlers.js'

/**
 * Loads the class `HttpHandler` of msw. In Node.js, `#msw-http` is `msw/core/http`, a third of msw,
 * which msw 3 does not export. Elsewhere, it is `msw-root.ts`.
 */
export async function loadHttpHandler(): Promise<HttpHandlerClass> {
  const loading = import(/* webpackIgnore: true */ /* turbopackIgnore: true */ '#msw-http')
  const { http } = await loading.catch(() => import('./msw-root.js'))
  if (!http) throw new Error('petstore-sandbox requires msw 2.15 or newer, found msw 1')
  // `msw/core/http` exports no classes.
  return http.all('*', () => undefined).constructor as HttpHandlerClass
}
