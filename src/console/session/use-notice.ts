import { useCallback, useEffect, useState } from 'preact/hooks'

/** A message about a completed or failed action. */
export interface Notice {
  readonly text: string
  readonly kind: 'done' | 'error'
}

/** Time until a notice is removed, in milliseconds. */
const shownMs = { done: 4_000, error: 10_000 } as const

/** Returns the latest notice, removed after a few seconds, and a function that sets it. */
export function useNotice(): {
  notice: Notice | undefined
  notify: (text: string, kind?: Notice['kind']) => void
} {
  const [notice, setNotice] = useState<Notice>()
  const notify = useCallback((text: string, kind: Notice['kind'] = 'done') => {
    setNotice({ text, kind })
  }, [])
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(undefined), shownMs[notice.kind])
    return () => clearTimeout(timer)
  }, [notice])
  return { notice, notify }
}
