import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

type Kind = 'done' | 'error'

/** Maximum number of failures that are shown at once. */
const maximumErrors = 3

/**
 * Returns the notices of the page, latest first, and functions that show one and remove one. A
 * failure stays until it is dismissed. A success stays until the next one, or as long as it takes to
 * read it.
 */
export function useNotices() {
  const [notices, setNotices] = useState<readonly { id: number; text: string; kind: Kind }[]>([])
  // A repeated text is another element, so that it is announced again.
  const count = useRef(0)
  const notify = useCallback((text: string, kind: Kind = 'done') => {
    count.current += 1
    const notice = { id: count.current, text, kind }
    setNotices((before) => {
      const errors = before.filter((other) => other.kind === 'error' && other.text !== text)
      return [notice, ...errors.slice(0, kind === 'error' ? maximumErrors - 1 : undefined)]
    })
  }, [])
  const dismiss = useCallback(
    (notice: object) => setNotices((before) => before.filter((other) => other !== notice)),
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
