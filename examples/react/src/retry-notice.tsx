import { useEffect, useState } from 'react'
import type { ServiceError } from './service.js'

/** Counts down the time that the service demands to wait, and then retries. */
export function RetryNotice({ error, onRetry }: { error: ServiceError; onRetry: () => void }) {
  const { retryAtMs } = error
  const [nowMs, setNowMs] = useState(Date.now)

  useEffect(() => {
    const countdown = setInterval(() => setNowMs(Date.now()), 1000)
    const retry = setTimeout(onRetry, retryAtMs - Date.now())
    return () => {
      clearInterval(countdown)
      clearTimeout(retry)
    }
  }, [retryAtMs, onRetry])

  const seconds = Math.max(0, Math.ceil((retryAtMs - nowMs) / 1000))
  return (
    <div role="alert">
      <p>Too many requests.</p>
      <p role="timer">Next request in {seconds} s</p>
    </div>
  )
}
