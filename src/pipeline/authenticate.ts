import { Problem } from '../contract/errors.js'
import { plans } from '../contract/plans.js'
import { describeValue } from '../contract/validate.js'
import { maskApiKey } from './api-key.js'
import type { Exchange } from './exchange.js'
import type { KeyHolder } from './host.js'

const bearer = /^Bearer ([\x21-\x7e]+)$/

/**
 * Finds who calls (spec §5): reads the bearer token and looks up what the key reaches.
 *
 * @throws {Problem} missing_api_key or invalid_api_key; thrown or rejected.
 */
export function authenticate(exchange: Exchange): KeyHolder | Promise<KeyHolder> {
  exchange.apiKey = readApiKey(exchange.call.header('authorization'))
  const holder = exchange.host.identify(exchange.apiKey, exchange.environment)
  return holder instanceof Promise
    ? holder.then((found) => admit(exchange, found))
    : admit(exchange, holder)
}

function admit(exchange: Exchange, holder: KeyHolder): KeyHolder {
  exchange.holder = holder
  const { scenario, label } = holder.world.name
  const place = label === '' ? scenario : `${scenario}/${label}`
  const key = maskApiKey(exchange.apiKey ?? '')
  exchange.explain(
    `key ${key} is on plan ${plans[holder.plan].title}, world ${exchange.environment}/${place}`,
  )
  return holder
}

/**
 * The key in an Authorization header (spec §5).
 *
 * @throws {Problem} missing_api_key when the header is not `Bearer <API_KEY>`.
 */
export function readApiKey(header: string | undefined): string {
  if (header === undefined || header === '') {
    const message = 'the Authorization header must be "Bearer <API_KEY>", found none'
    throw new Problem('missing_api_key', message)
  }
  const [, apiKey] = bearer.exec(header) ?? []
  if (apiKey !== undefined) return apiKey
  // What stands behind the scheme may be a secret: only the scheme is shown.
  const [scheme = ''] = header.split(' ', 1)
  const found = `${describeValue(scheme.slice(0, 12))} and ${header.length - scheme.length} characters`
  const message = `the Authorization header must be "Bearer <API_KEY>" with one space, found ${found}`
  throw new Problem('missing_api_key', message)
}
