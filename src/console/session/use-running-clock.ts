import { useEffect, useState } from 'preact/hooks'

/**
 * Returns the time of the world in milliseconds since the epoch. Between two responses, a running
 * clock advances once a second.
 */
export function useRunningClock(now: string | undefined, isFrozen: boolean): number | undefined {
  const [seconds, setSeconds] = useState(0)
  // `now` is a dependency because each response restarts the count.
  useEffect(() => {
    setSeconds(0)
    if (isFrozen) return
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [now, isFrozen])
  return now === undefined ? undefined : Date.parse(now) + seconds * 1_000
}
