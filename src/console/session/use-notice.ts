import { useCallback, useEffect, useState } from 'preact/hooks'

/** A message about a completed or failed action. */
export interface Notice {
  readonly text: string
  readonly kind: 'done' | 'error'
}

/** The shown notices, latest first, and what changes them. */
export interface Notices {
  readonly notices: readonly Notice[]
  /** Shows a notice. Its kind is `done` by default. */
  notify(text: string, kind?: Notice['kind']): void
  dismiss(notice: Notice): void
}

/** Maximum number of failures that are shown at once. */
const maximumErrors = 3

/**
 * Returns the notices of the page. A failure stays until it is dismissed. A success stays until the
 * next one, or as long as it takes to read it.
 */
export function useNotices(): Notices {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const notify = useCallback<Notices['notify']>((text, kind = 'done') => {
    setNotices((before) => {
      const errors = before.filter((other) => other.kind === 'error' && other.text !== text)
      return [{ text, kind }, ...errors.slice(0, kind === 'error' ? maximumErrors - 1 : undefined)]
    })
  }, [])
  const dismiss = useCallback(
    (notice: Notice) => setNotices((before) => before.filter((other) => other !== notice)),
    [],
  )
  const done = notices.find(({ kind }) => kind === 'done')
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => dismiss(done), 3_000 + 50 * done.text.length)
    return () => clearTimeout(timer)
  }, [done, dismiss])
  return { notices, notify, dismiss }
}
