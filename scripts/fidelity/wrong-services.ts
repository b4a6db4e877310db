import { wrongLimits } from './wrong/limits.js'
import { wrongMessages } from './wrong/messages.js'
import { wrongReads } from './wrong/reads.js'
import { wrongResponses } from './wrong/responses.js'
import type { WrongService } from './wrong/service.js'
import { wrongUpdates } from './wrong/updates.js'

/** Every wrong service. `petstore-sandbox verify` must find each of them. */
export const wrongServices: readonly WrongService[] = [
  ...wrongReads,
  ...wrongUpdates,
  ...wrongMessages,
  ...wrongLimits,
  ...wrongResponses,
]
