import { useCallback, useEffect, useState } from 'preact/hooks'

/** A message about an action that was just done or has failed. */
export interface Notice {
  readonly text: string
  readonly kind: 'done' | 'error'
}

const shownMs = { done: 4_000, error: 10_000 } as const

/** Holds at most one notice and removes it after a few seconds. */
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
