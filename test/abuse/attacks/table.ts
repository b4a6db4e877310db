import type { Trial } from '../trial.js'
import { abortedRequests } from './aborted-requests.js'
import { deepNesting } from './deep-nesting.js'
import { delayedRequests } from './delayed-requests.js'
import { disconnects } from './disconnects.js'
import { emptyObjects } from './empty-objects.js'
import { eventStreams } from './event-streams.js'
import { evictedWorlds } from './evicted-worlds.js'
import { filledJournals } from './filled-journals.js'
import { filledMessages } from './filled-messages.js'
import { filledPets } from './filled-pets.js'
import { filledWorlds } from './filled-worlds.js'
import { generatedScenarios } from './generated-scenarios.js'
import { halfSentBodies } from './half-sent-bodies.js'
import { headRequests } from './head-requests.js'
import { hostHeaders } from './host-headers.js'
import { invalidPets } from './invalid-pets.js'
import { largeResponses } from './large-responses.js'
import { largeScenarios } from './large-scenarios.js'
import { listedKeys } from './listed-keys.js'
import { longNames } from './long-names.js'
import { manyFields } from './many-fields.js'
import { manyQuotas } from './many-quotas.js'
import { manyScenarios } from './many-scenarios.js'
import { openConnections, openConnectionsOfOneClient } from './open-connections.js'
import { optionsRequests } from './options-requests.js'
import { privateData, privateDataWithoutSecret } from './private-data.js'
import { readPages } from './read-pages.js'
import { shortChunks } from './short-chunks.js'
import { stalledUploads, stalledUploadsWithoutKey } from './stalled-uploads.js'
import { unknownKeys } from './unknown-keys.js'
import { unreadEvents } from './unread-events.js'
import { unreadLists } from './unread-lists.js'
import { unreadLog } from './unread-log.js'
import { unreadPages } from './unread-pages.js'
import { unreadResponses } from './unread-responses.js'

/** Every attack, in the order of docs/reliability.md. */
export const attacks: readonly Trial[] = [
  // Blocking the event loop.
  manyScenarios,
  emptyObjects,
  deepNesting,
  invalidPets,
  unknownKeys,
  longNames,
  manyQuotas,
  manyFields,
  largeScenarios,
  generatedScenarios,
  largeResponses,
  readPages,
  headRequests,
  optionsRequests,
  eventStreams,
  // Using up the memory.
  filledWorlds,
  filledMessages,
  filledPets,
  filledJournals,
  shortChunks,
  stalledUploads,
  stalledUploadsWithoutKey,
  halfSentBodies,
  delayedRequests,
  unreadResponses,
  unreadPages,
  unreadLists,
  unreadEvents,
  unreadLog,
  // Harming other clients.
  openConnections,
  openConnectionsOfOneClient,
  evictedWorlds,
  disconnects,
  abortedRequests,
  // Reading what belongs to others.
  privateData,
  privateDataWithoutSecret,
  listedKeys,
  hostHeaders,
]
