import type { Trial } from '../trial.js'
import { abortedRequests } from './aborted-requests.js'
import { delayedRequests } from './delayed-requests.js'
import { disconnects } from './disconnects.js'
import { eventStreams } from './event-streams.js'
import { evictedWorlds } from './evicted-worlds.js'
import { filledPets } from './filled-pets.js'
import { filledJournals, filledMessages, headRequests, readPages, unreadLog } from './floods.js'
import { halfSentBodies } from './half-sent-bodies.js'
import { hostHeaders } from './host-headers.js'
import { largeResponses } from './large-responses.js'
import { listedKeys } from './listed-keys.js'
import { openConnections, openConnectionsOfOneClient } from './open-connections.js'
import { optionsRequests } from './options-requests.js'
import { privateData, privateDataWithoutSecret } from './private-data.js'
import { filledWorlds, scenarioBodies } from './scenario-bodies.js'
import { shortChunks } from './short-chunks.js'
import { stalledUploads, stalledUploadsWithoutKey } from './stalled-uploads.js'
import { unreadEvents } from './unread-events.js'
import { unreadLists } from './unread-lists.js'
import { unreadPages } from './unread-pages.js'
import { unreadResponses } from './unread-responses.js'

/** Every attack, in the order of docs/reliability.md. */
export const attacks: readonly Trial[] = [
  // Blocking the event loop.
  ...scenarioBodies,
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
