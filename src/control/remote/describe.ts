import { maskApiKey } from '../../service/api-key.js'
import { truncate } from '../../service/validation/message.js'
import type { ControlFailure, ControlTarget, DescribeFailure } from '../client/client.js'
import { describeForeign, describeMissing, maskCredentials } from '../client/error.js'

const wantedUrl = 'url must be the root of a sandbox, such as http://127.0.0.1:4010'

const wantedKey =
  'apiKey must be a key of this sandbox, such as sbx_free; petstore-sandbox key prints one'

/** What to do after an error, by its code. */
const advices: Readonly<Partial<Record<string, string>>> = {
  unreachable: 'start one with petstore-sandbox, or set url',
  timeout: 'check that the sandbox responds, or set timeoutMs',
  foreign_response: wantedUrl,
  missing_api_key: wantedKey,
  invalid_api_key: wantedKey,
  control_denied:
    'connect with the key of a world of your own, or with the token of the sandbox; fork() creates a world',
  cross_origin_denied:
    'connect from Node.js, such as a task of the test runner, or serve the page and the sandbox at one origin',
  host_not_allowed: 'start the sandbox with --allowed-hosts or --public-url',
  invalid_scenario: 'control.listScenarios() lists the known scenarios',
  pet_not_found: 'db.pets.list() lists the pets',
  resource_not_found: 'db.orders.list() lists the orders',
  resource_conflict: 'use another id',
  route_not_found: wantedUrl,
  method_not_allowed: wantedUrl,
  sandbox_unavailable: 'try again when the store of the sandbox can be reached',
  sandbox_capacity: 'remove records or close other clients of the sandbox',
  internal_error: 'see the log of the sandbox',
}

/**
 * Returns the function that words the failures of a remote handle.
 *
 * @param url Root URL of the sandbox.
 */
export function createDescription(url: string): DescribeFailure {
  return (failure, target) => {
    const advice = toAdvice(failure)
    const message = `${maskCredentials(toMessage(failure, url, target), target)}; ${advice}`
    const seconds = Number(failure.response?.headers.get('Retry-After') ?? Number.NaN)
    return { message, advice, ...(Number.isFinite(seconds) && { retryAfterSeconds: seconds }) }
  }
}

function toMessage(
  { code, reason, response, error }: ControlFailure,
  url: string,
  { controlUrl, apiKey, timeoutMs }: ControlTarget,
): string {
  if (code === 'timeout') return `no response from ${url} within ${timeoutMs} ms`
  if (!response) {
    return `the sandbox at ${url} could not be reached (${truncate(describeMissing(error))})`
  }
  if (code === 'foreign_response') {
    const found = truncate(describeForeign(response))
    return `the server at ${url} is not a petstore-sandbox of this version, found ${found}`
  }
  const key = response.status === 401 ? ` (key ${maskApiKey(apiKey)})` : ''
  return `${controlUrl} responded with ${response.status} ${code}${key}: ${reason}`
}

function toAdvice({ code, response }: ControlFailure): string {
  if (
    code === 'foreign_response' &&
    response &&
    describeForeign(response).startsWith('a redirect')
  ) {
    return 'the key is not sent there; set url to the root of the sandbox itself'
  }
  return (Object.hasOwn(advices, code) && advices[code]) || 'correct the request'
}
