import type { Overview } from '../control-types.js'
import { useDocuments } from '../documents/documents.js'
import { Card } from '../parts/card.js'
import { formatDuration } from '../parts/time.js'
import { Time } from '../parts/time-label.js'

/** The dates of the deprecated operation (A05, A21). */
export function DeprecationCard(props: {
  dates: Overview['deprecation'] | undefined
  nowMs: number | undefined
}) {
  const { dates, nowMs } = props
  const { service } = useDocuments()
  const operation = service.operations.find(({ isDeprecated }) => isDeprecated)
  if (!operation) return null
  return (
    <Card title={`Deprecation of ${operation.id}`} aside={<a href={`#${operation.id}`}>Try it</a>}>
      <dl class="facts">
        <dt>Deprecated</dt>
        <dd>{dates ? <Time at={dates.deprecatedAt} /> : '…'}</dd>
        <dt>Sunset</dt>
        <dd>
          {dates ? <Time at={dates.sunsetAt} /> : '…'}{' '}
          {dates && nowMs !== undefined && (
            <span class="whole">{formatDistance(nowMs, dates.sunsetAt)}</span>
          )}
        </dd>
        <dt>After the sunset</dt>
        <dd>{dates ? describeEnd(dates) : '…'}</dd>
      </dl>
    </Card>
  )
}

function describeEnd({ afterSunset }: Overview['deprecation']): string {
  return afterSunset === 'serve' ? 'served as before' : '410 operation_gone'
}

function formatDistance(nowMs: number, sunsetAt: string): string {
  const ms = Date.parse(sunsetAt) - nowMs
  return ms > 0 ? `(in ${formatDuration(ms)})` : '(past)'
}
