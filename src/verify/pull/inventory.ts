import { listEntries } from '../../service/bounds.js'
import { parseExactJson, toInt64 } from '../../service/json.js'
import { readErrorField, toPlainLine, truncate } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { wantedBaseUrl } from '../base-url.js'
import { incompleteCode } from '../http-sender.js'
import { describeRejection } from '../rate-limit.js'
import type { Received } from './received.js'

/**
 * Returns the ids of the inventory that can be requested, without duplicates. Ignores the entries for
 * which a scenario has no room.
 *
 * @throws {UsageError} If the response is not a JSON array.
 */
export function listPetIds(inventory: Received, url: string): string[] {
  if (inventory.status !== 200) throw toUnexpected('/inventory', inventory, url)
  const entries = readArray(inventory.body).slice(0, listEntries)
  const ids = entries.map((item) => toInt64(Object(item).petId))
  return [...new Set(ids.filter((id) => id !== undefined))]

  function readArray(body: string): readonly unknown[] {
    try {
      const value = parseExactJson(body)
      if (Array.isArray(value)) return value
    } catch (error) {
      throw toUnexpected('/inventory', inventory, url, readErrorField(error, 'message'))
    }
    throw toUnexpected('/inventory', inventory, url, 'not an array')
  }
}

/** Returns the failure for a response that cannot be used, with the next step. */
export function toUnexpected(
  path: string,
  received: Received,
  url: string,
  reason?: string,
): UsageError {
  const { status, headers } = received
  const type = headers.get('content-type') ?? 'no content type'
  const shown = status === 429 ? describeRejection(received) : `${status}`
  const found = reason === undefined ? shown : `${status} with ${type}, ${reason}`
  const step = nextSteps[status] ?? (status >= 500 ? 'try again later' : wantedBaseUrl)
  const isRedirect = status >= 300 && status < 400
  const to = isRedirect ? ` to ${headers.get('location') ?? 'nowhere'}, which is not followed` : ''
  return new UsageError(
    toPlainLine(`GET ${url}${path}: ${truncate(found + to)}; ${step}`),
    incompleteCode,
  )
}

/** The next step by status. */
const nextSteps: Readonly<Record<number, string>> = {
  401: 'set the API key with --key or PETSTORE_API_KEY',
  429: 'another client uses the limit of the key',
}
