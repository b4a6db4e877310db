import { useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { useDocuments } from '../documents/documents.js'
import { StatusMark } from '../parts/status-mark.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { toCurlCopy, toFetchCopy, toPageRequest } from './copies.js'
import { CopyAction } from './copy-action.js'
import { createTest } from './create-test.js'
import { EntryLink } from './entry-link.js'
import { describeDifferences, explainUnsendable, type Resent, resend } from './resend.js'
import type { SentRequest } from './sent-request.js'
import type { RecordedWorld } from './starts.js'

/** Copies the request of an entry in several forms, and sends it again. */
export function RequestActions(props: { entry: JournalEntry; readWorld: () => RecordedWorld }) {
  const { entry, readWorld } = props
  const documents = useDocuments()
  const { access } = useSession()
  const request = toPageRequest(entry, documents, access.apiKey)
  const resending = useResend(entry, request)
  const obstacle = explainUnsendable(entry, request)
  const note = obstacle ? `It cannot be resent. ${obstacle}` : describeDifferences(entry, request)
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
        <CopyAction
          label="Copy as test"
          what="a test for vitest"
          create={() => createTest(entry, readWorld(), access.apiKey)}
        />
        <button
          type="button"
          disabled={obstacle !== undefined || resending.isSending}
          onClick={() => void resending.send()}
        >
          Resend
        </button>
      </div>
      {note && <p class="hint">{note}</p>}
      <p role="status" class="resent">
        {resending.result !== undefined && <ResendResult result={resending.result} />}
      </p>
    </>
  )
}

function useResend(entry: JournalEntry, request: SentRequest) {
  const { access, client } = useSession()
  const [isSending, setSending] = useState(false)
  /** A string if the journal could not be read. */
  const [result, setResult] = useState<Resent | string>()
  const send = async () => {
    setSending(true)
    const sent = resend(client, entry, request, access.apiKey)
    setResult(await sent.catch((error: unknown) => toFailure(error).message))
    setSending(false)
  }
  return { isSending, result, send }
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
