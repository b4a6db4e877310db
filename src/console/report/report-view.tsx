import type { Report } from '../../report/report.js'
import { LoadFailure } from '../parts/failure-details.js'
import { ConductCard } from './conduct-card.js'
import { CoverageCard } from './coverage-card.js'
import { SummaryCard } from './summary-card.js'
import { TimelineCard } from './timeline-card.js'
import { useReport } from './use-report.js'
import { WhatIfCard } from './what-if-card.js'

/** Assesses the client of the key from the requests that it has sent. */
export function ReportView() {
  const { value: report, failure } = useReport()
  return (
    <>
      {failure && <LoadFailure what="The report" failure={failure} />}
      {report && <ReportCards report={report} />}
      {!report && !failure && <p class="empty">Loading the report…</p>}
    </>
  )
}

function ReportCards({ report }: { report: Report }) {
  return (
    <>
      <SummaryCard report={report} />
      <ConductCard report={report} />
      <TimelineCard report={report} />
      <CoverageCard report={report} />
      <WhatIfCard report={report} />
    </>
  )
}
