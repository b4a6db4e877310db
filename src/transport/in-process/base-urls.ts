import { splitTarget } from '../../engine/route.js'
import { type AddressId, addresses } from '../../service/addresses.js'

/** Location of an address: `https://api.my-shop.test/v1`, `/v1` on any origin, or `*` for all URLs. */
export interface BaseUrl {
  /** The value of the option, without a trailing slash. */
  readonly text: string
  /** Undefined for any origin. */
  readonly origin: string | undefined
  /** Path without a trailing slash. Empty for the root. */
  readonly prefix: string
}

/** Location of each address. */
export type BaseUrls = Readonly<Record<AddressId, BaseUrl>>

/** Options that set the location of the addresses: a URL, a path on any origin, or `*`. */
export interface BaseUrlOptions {
  /** Location of `{base_url}`. Default: `https://api.petstore.example/v1`. */
  readonly baseUrl?: string | undefined
  /** Location of `{staging_base_url}`. Default: `https://staging.api.petstore.example/v1`. */
  readonly stagingBaseUrl?: string | undefined
  /** Location of `{quickstart_base_url}`. Default: `https://quickstart.petstore.example`. */
  readonly quickstartBaseUrl?: string | undefined
  /** Location of the control API. Default: `https://api.petstore.example/sandbox`. */
  readonly controlUrl?: string | undefined
  /**
   * Location of the control API for staging. Default:
   * `https://staging.api.petstore.example/sandbox`.
   */
  readonly stagingControlUrl?: string | undefined
}

/** The option for each address. */
const optionNames = {
  api: 'baseUrl',
  staging: 'stagingBaseUrl',
  quickstart: 'quickstartBaseUrl',
  control: 'controlUrl',
  stagingControl: 'stagingControlUrl',
} as const satisfies Record<AddressId, keyof BaseUrlOptions>

const addressIds = Object.keys(optionNames) as AddressId[] // optionNames has every address

/**
 * Reads the location of each address.
 *
 * @throws {TypeError} If an option is not a base URL, or two addresses have the same location.
 */
export function readBaseUrls(options: BaseUrlOptions): BaseUrls {
  const entries = addressIds.map((id) => {
    const name = optionNames[id]
    return [id, readBaseUrl(options[name] ?? addresses[id].url, name)] as const
  })
  const bases = Object.fromEntries(entries) as BaseUrls // of every address
  checkDistinct(bases)
  return bases
}

/** The part of a URL below a base URL. */
export interface RequestTarget {
  readonly path: string
  /** Query string without the `?`. Empty if there is none. */
  readonly query: string
  /** Position of its arrival in the order of the process, if the request arrived before it was read. */
  readonly order?: number | undefined
}

/** Returns the path and query of a URL below a base. Undefined if the URL is not below it. */
export function matchBaseUrl(base: BaseUrl, url: string): RequestTarget | undefined {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  if (pathAt < 0) return undefined
  if (base.origin !== undefined && url.slice(0, pathAt) !== base.origin) return undefined
  if (!url.startsWith(base.prefix, pathAt)) return undefined
  const rest = url.slice(pathAt + base.prefix.length)
  return rest === '' || /^[/?#]/.test(rest) ? splitTarget(rest) : undefined
}

/**
 * Returns the addresses. Addresses with an origin and longer paths come first, because one may be below
 * another. Otherwise in the order of the table: msw finds production first.
 */
export function mostSpecificFirst(bases: BaseUrls): AddressId[] {
  const hasOrigin = (id: AddressId) => Number(bases[id].origin !== undefined)
  return addressIds.toSorted(
    (a, b) => hasOrigin(b) - hasOrigin(a) || bases[b].prefix.length - bases[a].prefix.length,
  )
}

/** Whether a base URL is `*`, which also matches requests to other services. */
export function matchesEverything(base: BaseUrl): boolean {
  return base.origin === undefined && base.prefix === ''
}

function readBaseUrl(text: string, option: string): BaseUrl {
  const prefix = text.startsWith('*') ? text.slice(1) : text
  if (prefix === '' ? text === '*' : /^\/(?!\/)[^?#\s]*$/.test(prefix)) {
    return { text: trimSlashes(text), origin: undefined, prefix: trimSlashes(prefix) }
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return { text: trimSlashes(url.href), origin: url.origin, prefix: trimSlashes(url.pathname) }
  }
  const wanted = 'a URL such as "https://api.my-shop.test/v1", a path such as "/v1", or "*"'
  throw new TypeError(`${option} must be ${wanted}, found ${JSON.stringify(text)}`)
}

/** Rejects two addresses at the same location: one of them would never receive a request. */
function checkDistinct(bases: BaseUrls): void {
  const owners = new Map<string, AddressId>()
  for (const id of addressIds) {
    const { origin = '*', prefix, text } = bases[id]
    const owner = owners.get(`${origin}${prefix}`)
    if (owner !== undefined) {
      const both = `${optionNames[owner]} and ${optionNames[id]}`
      throw new TypeError(`${both} must differ, found ${JSON.stringify(text)} for both`)
    }
    owners.set(`${origin}${prefix}`, id)
  }
}

function trimSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}
