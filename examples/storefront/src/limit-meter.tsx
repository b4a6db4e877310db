import type { Limits, ServiceError } from './service.js'

interface LimitMeterProps {
  readonly limits: Limits | undefined
  /** The error by which the service rejects all requests of the key: 401 or 429. */
  readonly rejection: ServiceError | undefined
}

/** Shows the remaining requests of the key, from the last response. */
export function LimitMeter({ limits, rejection }: LimitMeterProps) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Requests left</h2>
      {rejection?.status === 401 ? (
        // The headers of a 401 describe no key.
        <p>
          <b class="figure">None</b> <span class="quiet">without a valid key</span>
        </p>
      ) : (
        limits && <Window limits={limits} isBanned={rejection?.code === 'api_key_banned'} />
      )}
    </section>
  )
}

/** Shows the window that the headers describe. A rejected request has `X-RateLimit-Remaining: 0`. */
function Window({ limits, isBanned }: { limits: Limits; isBanned: boolean }) {
  const { limit, remaining, resetsAt } = limits
  return (
    <>
      <p>
        {isBanned ? (
          <b class="figure rejected">Banned</b>
        ) : (
          <>
            <b class={remaining === 0 ? 'figure rejected' : 'figure'}>{remaining}</b> of {limit}
          </>
        )}{' '}
        <span class="quiet">until {toTime(resetsAt)}</span>
      </p>
      <meter
        aria-labelledby="limits"
        min={0}
        max={limit}
        low={limit / 5}
        high={limit / 2}
        optimum={limit}
        value={remaining}
      />
    </>
  )
}

/** Returns the time of a date, with its day if that is another one. */
function toTime(date: Date): string {
  const time = date.toLocaleTimeString('en-GB')
  if (date.toDateString() === new Date().toDateString()) return time
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`
}
