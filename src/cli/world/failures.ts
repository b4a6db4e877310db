import { maskApiKey } from '../../contract/api-key.js'
import type { ErrorCode } from '../../contract/errors.js'
import { errorSchema } from '../../contract/response-schemas.js'
import { validate } from '../../validation/validate.js'
import { CliError } from '../cli-error.js'
import { toPlainLine } from '../plain-line.js'

/** What was called, for the line that says why it failed. */
export interface SentRequest {
  readonly url: string
  readonly apiKey: string
  /** The command that prints the help of what the user has called. */
  readonly help: string
  readonly response: Response
}

const anotherUrl = '--url must be the root of a sandbox such as http://127.0.0.1:4010'
const listKeys = 'petstore-sandbox key prints a key, and --key or PETSTORE_SANDBOX_KEY takes it'

/** What helps against an error; against any other, the help of the command does. */
const nextSteps: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_api_key: listKeys,
  invalid_api_key: listKeys,
  invalid_scenario:
    'petstore-sandbox world scenarios lists those that it knows, petstore-sandbox check FILE checks one',
  pet_not_found: 'petstore-sandbox world pets lists those that there are',
  resource_not_found: 'petstore-sandbox world orders lists those that there are',
  route_not_found: anotherUrl,
  method_not_allowed: anotherUrl,
  sandbox_capacity: 'petstore-sandbox world reset makes room in this world',
  internal_error: 'the log of the sandbox says more',
}

/** No answer came, or its end did not. */
export function toNoResponse(url: string, error: unknown): CliError {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new CliError(`no answer came from ${url} in time; ${anotherUrl}`)
  }
  const nextStep = 'petstore-sandbox starts one there, and --url names another'
  return new CliError(`no sandbox answers at ${url} (${toReason(error)}); ${nextStep}`)
}

/** Something answered that is no sandbox of this version. */
export function toNoSandbox(url: string, { status, headers }: Response): CliError {
  const type = headers.get('Content-Type') ?? 'no type'
  const found = toPlainLine(`${status} with ${type}`)
  return new CliError(
    `what answers at ${url} is no petstore-sandbox of this version, found ${found}; ${anotherUrl}`,
  )
}

/** The answer was an error: why, and what helps. */
export function toErrorResponse(answer: unknown, called: SentRequest): CliError {
  const result = validate(errorSchema, answer)
  if (!result.ok) return toNoSandbox(called.url, called.response)
  const { code, message } = result.value
  const steps: Readonly<Record<string, string>> = nextSteps
  const nextStep = Object.hasOwn(steps, code) ? steps[code] : `see ${called.help}`
  const whose = called.response.status === 401 ? ` for the key ${maskApiKey(called.apiKey)}` : ''
  const reason = toPlainLine(message.replaceAll(/\s*\n\s*/g, '; '))
  return new CliError(`${toPlainLine(code)}${whose}: ${reason}; ${nextStep}`)
}

/** The code of the system, such as ECONNREFUSED, which fetch wraps. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return toPlainLine(String(error))
  const { cause } = error
  if (!(cause instanceof Error)) return toPlainLine(error.message)
  return toPlainLine('code' in cause ? String(cause.code) : cause.message)
}
