import { readFileSync } from 'node:fs'

/**
 * Starts to measure a time. Returns a function that returns the milliseconds since then, without the
 * time in which the event-loop thread of the server or this thread waited for a processor: that
 * depends on what else the machine does.
 */
export function startWatch(serverPid) {
  const files = [`/proc/${serverPid}/schedstat`, '/proc/thread-self/schedstat']
  const readWaitMs = () => files.reduce((total, file) => total + readWait(file), 0)
  const startedAt = performance.now()
  const startWaitMs = readWaitMs()
  return () => Math.max(0, performance.now() - startedAt - (readWaitMs() - startWaitMs))
}

/** Returns the time that a thread waited for a processor, in milliseconds. */
function readWait(file) {
  try {
    return Number(readFileSync(file, 'latin1').split(' ')[1]) / 1e6
  } catch {
    // A kernel without these statistics, or a thread that has ended.
    return 0
  }
}
