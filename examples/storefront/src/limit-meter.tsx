import type { Limits } from './service.js'

/** Shows the remaining requests of the key, from the headers of the last response. */
export function LimitMeter({ limits }: { limits: Limits | undefined }) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Requests left</h2>
      {limits && (
        <>
          <p>
            <b class="figure">{limits.remaining}</b> of {limits.limit}
            <span class="quiet"> until {limits.resetsAt.toLocaleTimeString('en-GB')}</span>
          </p>
          <meter
            aria-labelledby="limits"
            min={0}
            max={limits.limit}
            low={limits.limit / 5}
            high={limits.limit / 2}
            optimum={limits.limit}
            value={limits.remaining}
          />
        </>
      )}
    </section>
  )
}
