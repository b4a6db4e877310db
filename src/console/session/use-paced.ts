import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageClient } from './client.js'

/** Pause after a failure, in milliseconds. */
const retryMs = 2_000

/**
 * Runs a task for a client, and again when the version changes: once at a time, with a pause after
 * each run. Changes during a run or a pause become one run. If the task rejects, it runs again.
 *
 * @param task Resolves with the pause after it, in milliseconds. Must be the same function on each
 * render.
 * @param version Compared with that of the last render.
 */
export function usePaced(
  client: PageClient,
  task: (client: PageClient) => Promise<number>,
  version: unknown,
): void {
  const [failures, setFailures] = useState(0)
  const latest = useRef<{ client: PageClient; end: Promise<void> }>(undefined)
  // The version and the number of failures are dependencies only to run the task again.
  useEffect(() => {
    let isWanted = true
    const run = async () => {
      const pauseMs = await task(client).catch(() => undefined)
      if (pauseMs !== 0) await new Promise((resolve) => setTimeout(resolve, pauseMs ?? retryMs))
      if (pauseMs === undefined) setFailures((before) => before + 1)
    }
    const start = async () => {
      if (latest.current?.client === client) await latest.current.end
      if (isWanted) latest.current = { client, end: run() }
    }
    void start()
    return () => {
      isWanted = false
    }
  }, [client, task, version, failures])
}
