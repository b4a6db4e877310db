import { useEffect, useState } from 'preact/hooks'
import { useSession } from './session.js'

/**
 * Returns the time of the world in milliseconds since the epoch. Between two responses, a running
 * clock advances once a second.
 */
export function useRunningClock(): number | undefined {
  const { now, frozen } = useSession().overview?.clock ?? {}
  const [seconds, setSeconds] = useState(0)
  // `now` is a dependency because each response restarts the count.
  useEffect(() => {
    setSeconds(0)
    if (frozen) return
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [now, frozen])
  return now === undefined ? undefined : Date.parse(now) + seconds * 1_000
}
