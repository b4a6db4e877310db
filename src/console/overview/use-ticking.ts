import { useEffect, useState } from 'preact/hooks'

/**
 * The time of a world between two readings of its clock: second by second for one that runs.
 * Milliseconds since 1970.
 */
export function useTicking(now: string | undefined, isFrozen: boolean): number | undefined {
  const [seconds, setSeconds] = useState(0)
  // A new reading counts from nought.
  useEffect(() => {
    setSeconds(0)
    if (isFrozen) return
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [now, isFrozen])
  return now === undefined ? undefined : Date.parse(now) + seconds * 1_000
}
