import { useEffect } from 'preact/hooks'
import { useSecondsUntil } from './seconds-until.js'
import { ServiceError } from './service.js'

interface NoticeProps {
  readonly problem: unknown
  /** Retries the request. Called automatically at the end of a countdown. */
  readonly onRetry?: () => void
}

/** Shows an error with a title for the shop's staff and the message of the service. */
export function Notice({ problem, onRetry }: NoticeProps) {
  const error = problem instanceof ServiceError ? problem : undefined
  if (error?.retryAt) return <Countdown error={error} until={error.retryAt} onRetry={onRetry} />
  return (
    <div class="notice" role="alert">
      <strong>{toTitle(error)}</strong>
      <Details error={error} />
      {onRetry && error?.status !== 401 && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

function Countdown({
  error,
  until,
  onRetry,
}: {
  error: ServiceError
  until: Date
  onRetry: (() => void) | undefined
}) {
  const seconds = useSecondsUntil(until)
  useEffect(() => {
    if (seconds === 0) onRetry?.()
  }, [seconds, onRetry])
  return (
    <div class="notice" role="alert">
      <strong>{toTitle(error)}</strong>
      <p class="countdown" role="timer">
        Retrying in <b>{toClock(seconds)}</b>
      </p>
      <Details error={error} />
    </div>
  )
}

function Details({ error }: { error: ServiceError | undefined }) {
  if (!error) return <p>The connection was closed before a response was received.</p>
  return (
    <p>
      <code>
        {error.status} {error.code}
      </code>{' '}
      {error.message}
    </p>
  )
}

function toTitle(error: ServiceError | undefined): string {
  if (!error) return 'The service did not respond'
  if (error.status === 401) return 'The service does not accept our key'
  if (error.code === 'api_key_banned') return 'Our key is temporarily banned'
  if (error.status === 429) return 'Too many requests'
  if (error.status === 404) return 'Pet not found'
  if (error.status === 410) return 'This operation is no longer available'
  if (error.status === 400) return 'The service rejected the request'
  return 'The service has failed'
}

function toClock(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
