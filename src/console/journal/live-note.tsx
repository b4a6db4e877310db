import { useEffect, useState } from 'preact/hooks'
import { platform } from '../../engine/platform.js'
import { useSession } from '../session/session.js'

/** Time after which an event stream that has not opened is reported, in milliseconds. */
const slowMs = 5_000

/**
 * States since when and why the journal is not live, and what happens next.
 *
 * @param props.isView Whether the journal is the view. The other views show why the key or the token
 * does not permit the request.
 */
export function LiveNote({ isView }: { isView: boolean }) {
  const { client, journal } = useSession()
  const { kind, failure } = journal.stream
  const [sinceMs, setSinceMs] = useState(platform.now)
  const [isSlow, setSlow] = useState(false)
  // The client is a dependency because another one opens another stream.
  useEffect(() => {
    setSinceMs(platform.now())
    setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [client, kind])
  const since = toLocalTime(sinceMs)
  let text = ''
  if (kind === 'lost') {
    const needsAccess = failure?.needs !== undefined
    const next = needsAccess ? 'It needs another key or token.' : 'The page tries again.'
    const reason = needsAccess && !isView ? '' : `: ${failure?.message}`
    text = `Not live since ${since}${reason}. ${next}`
  } else if (kind === 'opening' && isSlow) {
    text = `Not live yet: the event stream has not opened since ${since}. A reverse proxy that buffers responses delays it. The page waits for it.`
  }
  // A live region must be in the page before its text.
  return (
    <p role="status" class="hint live-note">
      {text}
    </p>
  )
}

/** Formats the time of day where the page is used: `12:03:05`. */
function toLocalTime(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB')
}
