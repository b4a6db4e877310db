import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { showShortKeys } from '../session/failure.js'
import { sendRequest } from '../try/request.js'
import { keyPlaceholder, listMissing, type SentRequest } from './sent-request.js'

/** Returns why a page cannot send the request of an entry again; undefined if it can. */
export function explainUnsendable(entry: JournalEntry, request: SentRequest): string | undefined {
  const { method, url, body } = request
  const missing = listMissing(entry).filter((part) => !part.includes('header'))
  if (missing.length > 0) return `The journal does not have ${missing.join(', ')}.`
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) return `A browser cannot send ${method}.`
  if (body !== undefined && /^(?:GET|HEAD)$/i.test(method)) {
    return `A browser cannot send a body with ${method}.`
  }
  if (!URL.canParse(url) || new URL(url).href !== url) return 'A browser changes this path.'
  return undefined
}

/** Returns the differences between a request and the one that the page sends, in whole sentences. */
export function describeDifferences(entry: JournalEntry, request: SentRequest): string {
  const headers = listMissing(entry).filter((part) => part.includes('header'))
  const isOtherKey = request.headers.authorization === `Bearer ${keyPlaceholder}`
  return [
    ...(headers.length > 0 ? [`The journal does not have ${headers.join(', ')}.`] : []),
    ...(isOtherKey
      ? [`It is sent with the key of this page instead of ${showShortKeys(entry.apiKey ?? '')}.`]
      : []),
  ].join(' ')
}

/** What became of a request that was sent again. */
export interface Resent {
  /** Undefined if there was no response. */
  readonly status: number | undefined
  readonly failure: string | undefined
  /** Id of its journal entry; undefined if the journal does not have it. */
  readonly id: number | undefined
}

/**
 * Sends a request again with the key of the page, and finds its entry in the journal.
 *
 * @throws {RemoteError} If the journal cannot be read.
 */
export async function resend(
  client: PageClient,
  entry: JournalEntry,
  request: SentRequest,
  apiKey: string,
): Promise<Resent> {
  const { headers } = request
  const [newest] = await client.send('listRequests', { query: { limit: 1 } })
  const sent = {
    ...request,
    headers: { ...headers, ...(headers.authorization && { authorization: `Bearer ${apiKey}` }) },
  }
  const { status, failure } = await sendRequest(sent)
  const later = await client.send('listRequests', {
    query: { after: newest?.id ?? 0, limit: searchedLength },
  })
  const found = later.find(
    ({ request: { method, path } }) =>
      method === entry.request.method && path === entry.request.path,
  )
  return { status, failure, id: found?.id }
}

/** Number of later entries among which the one of a request is looked for. */
const searchedLength = 50
