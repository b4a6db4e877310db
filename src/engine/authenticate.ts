import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { describeValue } from '../service/validation/validate.js'
import type { Exchange } from './exchange.js'
import type { KeyHolder } from './key-holder.js'

const bearer = /^Bearer ([\x21-\x7e]+)$/
const scheme = /^(bearer|basic|digest|token|apikey)$/i

/**
 * Authenticates the request (spec §5): reads the bearer token and finds the holder of the key.
 *
 * @throws {Problem} missing_api_key or invalid_api_key, as a rejection.
 */
export async function authenticate(exchange: Exchange): Promise<KeyHolder> {
  const { sandbox, environment, request } = exchange
  exchange.apiKey = readApiKey(request.header('authorization'))
  const holder = await sandbox.keys.identify(exchange.apiKey, environment, request.client)
  exchange.holder = holder
  exchange.explanation.push(holder.description)
  // Its world is not evicted until the exchange ends.
  holder.world.pendingRequests += 1
  return holder
}

/**
 * Reads the key in an Authorization header (spec §5).
 *
 * @throws {Problem} missing_api_key if the header is not `Bearer <API_KEY>`.
 */
function readApiKey(header: string | undefined): string {
  if (header === undefined || header === '') {
    const message = 'the Authorization header must be "Bearer <API_KEY>", found none'
    throw new Problem('missing_api_key', message)
  }
  const [, apiKey] = bearer.exec(header) ?? []
  if (apiKey !== undefined) return apiKey
  // Masks the first word unless it is a known scheme, and omits the rest: both may be secret.
  const [word = ''] = header.split(' ', 1)
  const shown = scheme.test(word) ? word : maskApiKey(word)
  const found = `${describeValue(shown)} and ${header.length - word.length} more characters`
  const message = `the Authorization header must be "Bearer <API_KEY>" with one space, found ${found}`
  throw new Problem('missing_api_key', message)
}
