import { toTimestamp } from '../../service/timestamp.js'
import { type Clock, toTime } from '../../world/clock.js'
import type { Faults } from '../../world/faults/faults.js'
import type { Fault } from '../../world/faults/schema.js'
import type { Journal } from '../../world/journal/journal.js'
import type { ControlClient } from '../client/client.js'
import type { ControlBody } from '../operations.js'
import { maximumEntries, readEntry } from './entry.js'
import type { RemoteFeed } from './feed.js'
import { hideMembers, type Remote } from './mapped.js'

/** The clock of a remote world: the methods of `Clock`, which return promises. */
export type RemoteClock = Remote<Clock, 'now' | 'isFrozen' | 'freeze' | 'run' | 'set' | 'advance'>

export function createRemoteClock(client: ControlClient): RemoteClock {
  const change = async (body: ControlBody<'changeClock'>) => {
    await client.send('changeClock', { body })
  }
  return hideMembers({
    now: async () => Date.parse((await client.send('getClock')).now),
    get isFrozen() {
      return client.send('getClock').then(({ frozen }) => frozen)
    },
    freeze: async (at) =>
      change({ frozen: true, ...(at !== undefined && { now: toTimestamp(toTime(at)) }) }),
    run: () => change({ frozen: false }),
    set: async (to) => change({ now: toTimestamp(toTime(to)) }),
    advance: (by) => change({ advance: by }),
  })
}

/** The faults of a remote world: the methods of `Faults`, which return promises. */
export type RemoteFaults = Remote<Faults, 'list' | 'set' | 'add' | 'clear' | 'size'>

export function createRemoteFaults(client: ControlClient): RemoteFaults {
  const list = () => client.send('listFaults')
  return hideMembers({
    list,
    get size() {
      return list().then(({ length }) => length)
    },
    async set(faults) {
      const body = (Array.isArray(faults) ? faults : [faults]) as Fault[] // the sandbox adds defaults
      await client.send('replaceFaults', { body })
    },
    async add(fault) {
      await client.send('addFault', { body: fault as Fault }) // the sandbox adds defaults
    },
    async clear() {
      await client.send('clearFaults')
    },
  })
}

/**
 * The journal of a remote world: the methods of `Journal`, which return promises. `subscribe` resolves
 * when the event stream is open. It is opened again when it breaks, and missed entries are read.
 */
export type RemoteJournal = Remote<Journal, 'entries' | 'size' | 'subscribe'>

export function createRemoteJournal(client: ControlClient, feed: RemoteFeed): RemoteJournal {
  return hideMembers({
    async entries() {
      const query = { limit: maximumEntries }
      return (await client.send('listRequests', { query })).toReversed().map(readEntry)
    },
    get size() {
      return client.send('getOverview').then(({ counts }) => counts.requests)
    },
    // Later requests of the handle report the error that ended the stream.
    subscribe: (listener) =>
      feed.listen({ onEntry: listener, onRestart: () => {}, onError: () => {} }),
  })
}
