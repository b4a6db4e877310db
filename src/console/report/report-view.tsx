import { useEffect, useState } from 'preact/hooks'
import type { Report } from '../../report/report.js'
import { LoadFailure } from '../parts/failure-details.js'
import type { PageClient } from '../session/client.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import type { Loaded } from '../session/use-loaded.js'
import { ConductCard } from './conduct-card.js'
import { CoverageCard } from './coverage-card.js'
import { PacedLoader } from './paced-loader.js'
import { SummaryCard } from './summary-card.js'
import { TimelineCard } from './timeline-card.js'
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

/** Part of the pause between two loads, in milliseconds: a report of 100,000 requests is expensive. */
const pausePerRequestMs = 0.1

/**
 * Loads the report of the key, and again some time after its journal has changed. A report that has
 * been loaded remains if a later load fails.
 */
function useReport(): Loaded<Report> {
  const { client, journal, revision } = useSession()
  const [loaded, setLoaded] = useState<Loaded<Report> & { readonly client: PageClient }>()
  const [loader, setLoader] = useState<PacedLoader>()
  useEffect(() => {
    let isCurrent = true
    const next = new PacedLoader(async () => {
      try {
        const value = await client.send('getReport')
        if (isCurrent) setLoaded({ client, value })
        return value.requests.assessed * pausePerRequestMs
      } catch (error) {
        const failure = toFailure(error)
        if (isCurrent) {
          setLoaded((before) => ({ ...(before?.client === client ? before : { client }), failure }))
        }
        if (!failure.needs) throw failure
        return 0
      }
    })
    const onVisibility = () => next.hold(document.visibilityState === 'hidden')
    onVisibility()
    document.addEventListener('visibilitychange', onVisibility)
    setLoader(next)
    return () => {
      isCurrent = false
      next.stop()
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [client])
  // The revisions are dependencies only to load the report again.
  useEffect(() => loader?.request(), [loader, journal.revision, revision])
  return loaded?.client === client ? loaded : {}
}
