import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { CopyAction, CopyTest } from '../copies/copy-test.js'
import {
  describeDifferences,
  explainUnsendable,
  type Resent,
  resend,
  toCurlCopy,
  toFetchCopy,
  toPageRequest,
} from '../copies/sent-request.js'
import { useDocuments } from '../documents/documents.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { DismissButton } from '../parts/notices.js'
import { StatusMark } from '../parts/status-mark.js'
import { type Failure, toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { type EntryParts, RequestDetail } from './request-detail.js'

/** What the console adds to the details of each entry. */
export const consoleParts: EntryParts = {
  headerMeanings,
  renderOperation: (id) => <a href={`#${id}`}>{id}</a>,
  renderActions: (entry) => <RequestActions entry={entry} />,
}

/** The journal entry that a link has opened, above the others, which a filter can hide. */
export function ChosenEntry({ id }: { id: number }) {
  const part = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    part.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  const close = () => {
    part.current?.closest<HTMLElement>('.journal')?.focus({ preventScroll: true })
    location.hash = '#journal'
  }
  return (
    <section
      ref={part}
      // A second press of the link scrolls to it.
      id={`request-${id}`}
      class="chosen"
      tabIndex={-1}
      aria-label={`Request ${id}`}
    >
      <div class="card-head">
        <h3>Request {id}</h3>
        <DismissButton label={`Close request ${id}`} onClick={close} />
      </div>
      <EntryDetail id={id} />
    </section>
  )
}

interface FoundEntry {
  readonly entry?: JournalEntry | undefined
  readonly isMissing?: boolean
  readonly failure?: Failure
}

/** The details of a request below its id, if the journal retains its entry. The id must not change. */
export function EntryDetail({ id }: { id: number }) {
  const { client, journal } = useSession()
  const known = journal.entries.find((entry) => entry.id === id)
  const [loaded, setLoaded] = useState<FoundEntry>({})
  const isKnown = known !== undefined
  useEffect(() => {
    if (isKnown) return
    let isCurrent = true
    client.send('listRequests', { query: { before: id + 1, limit: 1 } }).then(
      ([entry]) => isCurrent && setLoaded(entry?.id === id ? { entry } : { isMissing: true }),
      (error: unknown) => isCurrent && setLoaded({ failure: toFailure(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [client, id, isKnown])
  const { entry, isMissing, failure } = known ? { entry: known } : loaded
  if (entry) return <RequestDetail entry={entry} parts={consoleParts} isNumbered />
  if (isMissing) return <p class="hint">The journal no longer retains request {id}.</p>
  if (!failure) return <p class="hint">Loading…</p>
  return (
    <p class="bad">
      The request could not be loaded: {failure.message}. {failure.advice}
    </p>
  )
}

const loadCreateTest = () => import('../copies/create-test.js')

/** Copies the request of an entry in several forms, and sends it again. */
function RequestActions({ entry }: { entry: JournalEntry }) {
  const documents = useDocuments()
  const { access, client } = useSession()
  const [isSending, setSending] = useState(false)
  /** A string if the journal could not be read. */
  const [result, setResult] = useState<Resent | string>()
  const request = toPageRequest(entry, documents, access.apiKey)
  const obstacle = explainUnsendable(entry, request)
  const note = obstacle ? `It cannot be resent. ${obstacle}` : describeDifferences(entry, request)
  const send = async () => {
    setSending(true)
    const sent = resend(client, entry, request, access.apiKey)
    setResult(await sent.catch((error: unknown) => toFailure(error).message))
    setSending(false)
  }
  return (
    <>
      <div class="actions">
        <CopyAction
          label="Copy as curl"
          what="a curl command"
          create={() => toCurlCopy(entry, request)}
        />
        <CopyAction
          label="Copy as fetch"
          what="a call of fetch"
          create={() => toFetchCopy(entry, request)}
        />
        <button
          type="button"
          disabled={obstacle !== undefined || isSending}
          onClick={() => void send()}
        >
          Resend
        </button>
        <CopyTest entry={entry} load={loadCreateTest} />
      </div>
      {note && <p class="hint">{note}</p>}
      <p role="status" class="resent">
        {result !== undefined && <ResendResult result={result} />}
      </p>
    </>
  )
}

function ResendResult({ result }: { result: Resent | string }) {
  if (typeof result === 'string') return <>The journal could not be read: {result}.</>
  const { status, failure, id } = result
  return (
    <>
      <StatusMark status={status ?? 0} /> {failure}{' '}
      {id === undefined ? (
        'The journal of this world does not have the request.'
      ) : (
        <>
          It is <EntryLink id={id} /> in the journal.
        </>
      )}
    </>
  )
}

/** A link that opens a journal entry in the journal. */
export function EntryLink({ id, class: name }: { id: number; class?: string }) {
  return (
    <a class={name} href={`#request-${id}`}>
      {name === 'button' ? 'Show the request' : `request ${id}`}
    </a>
  )
}
