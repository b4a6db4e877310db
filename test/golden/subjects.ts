import type { Subject } from './subject.js'
import { cliErrors } from './subjects/cli-errors.js'
import { cliHelp } from './subjects/cli-help.js'
import { cliOutput } from './subjects/cli-output.js'
import { cliServe } from './subjects/cli-serve.js'
import { cliWorld } from './subjects/cli-world.js'
import { documented } from './subjects/documented.js'
import { events } from './subjects/events.js'
import { generate } from './subjects/generate.js'
import { messages } from './subjects/messages.js'
import { metrics } from './subjects/metrics.js'
import { snapshots } from './subjects/snapshots.js'

/** The other golden files that do not replay requests, in alphabetical order. */
export const subjects: readonly Subject[] = [
  cliErrors,
  cliHelp,
  cliOutput,
  cliServe,
  cliWorld,
  documented,
  events,
  generate,
  messages,
  metrics,
  snapshots,
]
