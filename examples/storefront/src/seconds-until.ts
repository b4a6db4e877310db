import { useEffect, useState } from 'preact/hooks'

/** Returns the whole seconds until a moment, and updates as time passes. 0 after that moment. */
export function useSecondsUntil(moment: Date): number {
  const [seconds, setSeconds] = useState(() => countSeconds(moment))
  useEffect(() => {
    const update = () => setSeconds(countSeconds(moment))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [moment])
  return seconds
}

function countSeconds(moment: Date): number {
  return Math.max(0, Math.ceil((moment.getTime() - Date.now()) / 1000))
}
