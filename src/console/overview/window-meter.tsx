import type { QuotaState } from '../control-types.js'
import { formatDuration } from '../parts/time.js'

type WindowState = QuotaState['minute']

/** Shown until the quota is loaded. */
const placeholder: WindowState = { limit: 1, remaining: 1, rejected: 0, used: 0, resetsAt: '' }

/** The remaining requests of one window of the key. */
export function WindowMeter(props: {
  name: string
  state: WindowState | undefined
  nowMs: number
  /** A banned key can use nothing of what is left. */
  isBanned: boolean
}) {
  const { name, nowMs, state, isBanned } = props
  const { limit, remaining, rejected } = state ?? placeholder
  const count = `${remaining.toLocaleString('en')} of ${limit.toLocaleString('en')}`
  const left = isBanned ? 'none left: the key is banned' : `${count} left`
  return (
    <div class="window">
      <span>
        <b>{name}</b> {state && left}
      </span>
      <span class="hint">
        {state && describeReset(state, nowMs)}
        {rejected > 0 && `, ${rejected} rejected`}
      </span>
      <meter
        min={0}
        max={limit}
        low={limit * 0.1}
        high={limit * 0.3}
        optimum={limit}
        value={isBanned ? 0 : remaining}
        aria-label={`${name}: ${left}`}
      />
    </div>
  )
}

function describeReset({ used, rejected, resetsAt }: WindowState, nowMs: number): string {
  if (used === 0 && rejected === 0) return 'opens with the next request'
  return `resets in ${formatDuration(Date.parse(resetsAt) - nowMs)}`
}
