import type { Report } from '../../report/report.js'
import { LoadFailure } from '../parts/load-failure.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { ConductCard } from './conduct-card.js'
import { CoverageCard } from './coverage-card.js'
import { PlansCard } from './plans-card.js'
import { SummaryCard } from './summary-card.js'
import { TimelineCard } from './timeline-card.js'

/** Minimum pause between two loads, in milliseconds. */
export const minimumPauseMs = 3_000

/** Part of the pause for each request, in milliseconds: a report of many requests is expensive. */
const pausePerRequestMs = 0.1

const load = (client: PageClient) => client.send('getReport')

const toPauseMs = ({ requests }: Report) =>
  Math.max(minimumPauseMs, requests.assessed * pausePerRequestMs)

/** Assesses the client of the key from the requests that it has sent. */
export function ReportView() {
  const { value: report, failure } = useLoaded(load, useSession().journal.revision, toPauseMs)
  return (
    <>
      {failure && <LoadFailure what="The report" failure={failure} />}
      {!report && !failure && <p class="empty">Loading the report…</p>}
      {report && (
        <>
          <TimelineCard report={report} />
          <SummaryCard report={report} />
          <ConductCard report={report} />
          <CoverageCard report={report} />
          <PlansCard report={report} />
        </>
      )}
    </>
  )
}
