import type { ControlFailure, ControlTarget, DescribeFailure } from '../../control/client/client.js'
import { describeForeign, describeMissing } from '../../control/client/error.js'
import { maskApiKey } from '../../service/api-key.js'
import { toPlainLine } from '../../service/validation/message.js'

const wantedUrl = '--url must be the root of a sandbox such as http://127.0.0.1:4010'
const wantedKey = 'petstore-sandbox key prints a key; set it with --key or PETSTORE_SANDBOX_KEY'

/** The next step after an error, by its code. Default: the help of the command. */
const nextSteps: Readonly<Partial<Record<string, string>>> = {
  unreachable: 'start one with petstore-sandbox, or set --url',
  timeout: wantedUrl,
  foreign_response: wantedUrl,
  missing_api_key: wantedKey,
  invalid_api_key: wantedKey,
  control_denied:
    'set the key of a world of your own with --key, or the token of the sandbox with --token',
  invalid_scenario:
    'petstore-sandbox world scenarios lists the known ones, petstore-sandbox check FILE checks a file',
  pet_not_found: 'petstore-sandbox world pets lists the pets',
  resource_not_found: 'petstore-sandbox world orders lists the orders',
  route_not_found: wantedUrl,
  method_not_allowed: wantedUrl,
  sandbox_capacity: 'petstore-sandbox world reset removes the added records of this world',
  internal_error: 'see the log of the sandbox',
}

/**
 * Returns the function that words the failures of a command, in one line each.
 *
 * @param url Root URL of the sandbox.
 * @param help Command line that prints the help of the running command.
 */
export function createDescription(url: string, help: string): DescribeFailure {
  return (failure, target) => {
    const { code } = failure
    const advice = Object.hasOwn(nextSteps, code) ? nextSteps[code] : undefined
    const message = toMessage(failure, url, target)
    return { message: `${message}; ${advice ?? `see ${help}`}`, advice: advice ?? help }
  }
}

function toMessage(
  { code, reason = '', response, error }: ControlFailure,
  url: string,
  { apiKey, timeoutMs = 0 }: ControlTarget,
): string {
  if (code === 'timeout') return `no response from ${url} within ${timeoutMs / 1_000} s`
  if (!response) return `no sandbox responds at ${url} (${toPlainLine(describeMissing(error))})`
  if (code === 'foreign_response') {
    const found = toPlainLine(describeForeign(response))
    return `the server at ${url} is not a petstore-sandbox of this version, found ${found}`
  }
  const key = response.status === 401 ? ` for the key ${maskApiKey(apiKey)}` : ''
  return `${toPlainLine(code)}${key}: ${toPlainLine(reason.replaceAll(/\s*\n\s*/g, '; '))}`
}
