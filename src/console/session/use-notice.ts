import { useCallback, useEffect, useState } from 'preact/hooks'

/** What the page tells of something that was just done or failed. */
export interface Notice {
  readonly text: string
  readonly kind: 'done' | 'error'
}

const shownMs = { done: 4_000, error: 10_000 } as const

/** One notice at a time, which leaves by itself. */
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
