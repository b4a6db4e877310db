/**
 * Where an address lives: an origin with a path (`https://api.my-shop.test/v1`), or a path on any
 * origin (`/v1`, `*` + `/v1`), or `*` for everything.
 */
export interface BaseUrl {
  /** As it was given, without a slash at its end. */
  readonly text: string
  /** Undefined for any origin. */
  readonly origin: string | undefined
  /** Path without a slash at its end: `/v1`, or empty. */
  readonly prefix: string
}

/**
 * Reads a base URL.
 *
 * @param option What the value is called in a message.
 * @throws {TypeError} When it is no absolute http(s) URL, path or `*`.
 */
export function readBaseUrl(text: string, option: string): BaseUrl {
  const prefix = text.startsWith('*') ? text.slice(1) : text
  if (prefix === '' ? text === '*' : /^\/(?!\/)[^?#\s]*$/.test(prefix)) {
    return { text: dropSlash(text), origin: undefined, prefix: dropSlash(prefix) }
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return { text: dropSlash(url.href), origin: url.origin, prefix: dropSlash(url.pathname) }
  }
  const wanted = 'a URL such as "https://api.my-shop.test/v1", a path such as "/v1", or "*"'
  throw new TypeError(`${option} must be ${wanted}, found ${JSON.stringify(text)}`)
}

/** The path and query of a URL below the base: `/inventory/7?x=1`; undefined when it is not below. */
export function matchBaseUrl(base: BaseUrl, url: string): string | undefined {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  if (pathAt < 0) return undefined
  if (base.origin !== undefined && url.slice(0, pathAt) !== base.origin) return undefined
  if (!url.startsWith(base.prefix, pathAt)) return undefined
  const rest = url.slice(pathAt + base.prefix.length)
  return rest === '' || /^[/?#]/.test(rest) ? rest : undefined
}

function dropSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
