import type { Overview } from '../client/shapes.js'
import { Card } from '../parts/card.js'
import { formatDate, formatSpan } from '../parts/moment.js'

/** The dates of the deprecated operation (A05, A21). */
export function DeprecationCard({
  dates,
  nowMs,
}: {
  dates: Overview['deprecation'] | undefined
  nowMs: number | undefined
}) {
  return (
    <Card title="Deprecation of getPet" aside={<a href="#getPet">see the operation</a>}>
      <dl class="facts">
        <dt>Deprecated</dt>
        <dd>{dates ? formatDate(dates.deprecatedAt) : '…'}</dd>
        <dt>Sunset</dt>
        <dd>
          {dates ? formatDate(dates.sunsetAt) : '…'}{' '}
          {dates && nowMs !== undefined && toDistance(nowMs, dates.sunsetAt)}
        </dd>
        <dt>After it</dt>
        <dd>{dates?.afterSunset === 'serve' ? 'served as before' : '410 operation_gone'}</dd>
      </dl>
    </Card>
  )
}

function toDistance(nowMs: number, sunsetAt: string): string {
  const ms = Date.parse(sunsetAt) - nowMs
  return ms > 0 ? `(in ${formatSpan(ms)})` : '(past)'
}
