import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { requestIdHeader } from '../../service/headers.js'
import type { JournalEntry } from '../control-types.js'
import { CopyAction, CopyTest } from '../copies/copy-test.js'
import {
  explainUnsendable,
  findBaseUrl,
  readSent,
  toCurlCopy,
  toFetchCopy,
  toSentRequest,
} from '../copies/sent-request.js'
import { useDocuments } from '../documents/documents.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { DismissButton } from '../parts/notices.js'
import { StatusMark } from '../parts/status-mark.js'
import { useSession } from '../session/session.js'
import { type Outcome, sendRequest } from '../try/request.js'
import { type EntryParts, RequestDetail } from './request-detail.js'
import { maximumEntries } from './use-journal.js'

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

/** The details of a request below its id, if the journal has its entry. */
export function EntryDetail({ id }: { id: number }) {
  const { journal } = useSession()
  const entry = journal.entries.find((each) => each.id === id)
  if (entry) return <RequestDetail entry={entry} parts={consoleParts} isNumbered />
  if (!journal.isComplete) return <p class="hint">Loading…</p>
  return (
    <p class="hint">
      The journal no longer retains request {id}, or has {maximumEntries.toLocaleString('en')} newer
      ones.
    </p>
  )
}

const loadCreateTest = () => import('../copies/create-test.js')

/** Copies the request of an entry in several forms, and sends it again. */
function RequestActions({ entry }: { entry: JournalEntry }) {
  const documents = useDocuments()
  const { access } = useSession()
  const [isSending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const baseUrl = findBaseUrl(documents, entry.address)
  const sent = readSent(entry, baseUrl, access.apiKey)
  const obstacle = explainUnsendable(entry, sent.request)
  const notes = [...sent.gaps, obstacle].filter(Boolean)
  const send = async () => {
    setSending(true)
    const key = entry.apiKey === null ? undefined : access.apiKey
    setOutcome(await sendRequest(toSentRequest(entry, baseUrl, key)))
    setSending(false)
  }
  return (
    <>
      <div class="actions">
        <CopyAction label="Copy as curl" what="a curl command" create={() => toCurlCopy(sent)} />
        <CopyAction label="Copy as fetch" what="a call of fetch" create={() => toFetchCopy(sent)} />
        <button
          type="button"
          title="Sends it with the key of this page"
          disabled={obstacle !== undefined}
          aria-disabled={isSending} // not disabled, so that it keeps the focus
          onClick={() => void (isSending || send())}
        >
          Resend
        </button>
        <CopyTest entry={entry} load={loadCreateTest} />
      </div>
      {notes.length > 0 && <p class="hint">{notes.join(' ')}</p>}
      <p role="status" class="resent">
        {outcome && <SentResult outcome={outcome} />}
      </p>
    </>
  )
}

/** The response to a request of the page, with its journal entry when that has arrived. */
export function SentResult({ outcome }: { outcome: Outcome }) {
  const { status, headers, failure } = outcome
  const { journal } = useSession()
  const [, requestId] = headers.find(([name]) => name === requestIdHeader.toLowerCase()) ?? []
  const entry = journal.entries.find((each) => each.requestId === requestId)
  return (
    <>
      <StatusMark status={status ?? 0} /> {failure}{' '}
      {status !== undefined &&
        !requestId &&
        'The sandbox did not send it. Check the reverse proxy.'}
      {entry && (
        <>
          It is <EntryLink id={entry.id} /> in the journal.
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
