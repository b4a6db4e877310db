import { useEffect, useState } from 'preact/hooks'

/** Returns the whole seconds until a date, updated as time passes. Returns 0 after the date. */
export function useSecondsUntil(date: Date): number {
  const [seconds, setSeconds] = useState(() => countSeconds(date))
  useEffect(() => {
    const update = () => setSeconds(countSeconds(date))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [date])
  return seconds
}

function countSeconds(date: Date): number {
  return Math.max(0, Math.ceil((date.getTime() - Date.now()) / 1000))
}
