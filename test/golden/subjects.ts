import type { Subject } from './subject.js'
import { cliHelp } from './subjects/cli-help.js'
import { events } from './subjects/events.js'
import { generate } from './subjects/generate.js'
import { journal } from './subjects/journal.js'
import { metrics } from './subjects/metrics.js'
import { openapi } from './subjects/openapi.js'
import { reports } from './subjects/reports.js'
import { snapshots } from './subjects/snapshots.js'

/** The golden files, in alphabetical order. */
export const subjects: readonly Subject[] = [
  cliHelp,
  events,
  generate,
  journal,
  metrics,
  openapi,
  reports,
  snapshots,
]
