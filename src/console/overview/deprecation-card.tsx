import { Card } from '../parts/card.js'
import { formatDate, formatSpan } from '../parts/moment.js'
import { useLoaded } from '../session/use-loaded.js'
import type { Steering } from '../steering/steering.js'

const load = (steering: Steering) => steering.deprecation()

/** The dates of the deprecated operation (A05, A21). */
export function DeprecationCard({ nowMs }: { nowMs: number | undefined }) {
  const { value: dates } = useLoaded(load)
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
