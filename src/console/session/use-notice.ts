import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

type NoticeKind = 'done' | 'error'

/** A message about a completed or failed action. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly kind: NoticeKind
}

/** Shows a notice. Its kind is `done` by default. */
type Notify = (text: string, kind?: NoticeKind) => void

/** The shown notices, latest first, and what changes them. */
export interface Notices {
  readonly notices: readonly Notice[]
  notify: Notify
  dismiss(id: number): void
  /** Stops the time until notices are removed, while one has the pointer or the focus. */
  hold(isHeld: boolean): void
}

/** Maximum number of failures that are shown at once. */
const maximumErrors = 3

/**
 * Returns the notices of the page. A failure stays until it is dismissed. A success stays until the
 * next one, or as long as it takes to read it.
 */
export function useNotices(): Notices {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const [isHeld, hold] = useState(false)
  const lastId = useRef(0)
  const dismiss = useCallback((id: number) => {
    setNotices((before) => before.filter((notice) => notice.id !== id))
    hold(false) // the element with the pointer is removed
  }, [])
  const notify: Notify = useCallback((text, kind = 'done') => {
    lastId.current += 1
    const notice: Notice = { id: lastId.current, text, kind }
    setNotices((before) => addNotice(before, notice))
  }, [])
  const done = notices.find(({ kind }) => kind === 'done')
  useEffect(() => {
    if (!done || isHeld) return
    const timer = setTimeout(() => dismiss(done.id), toShownMs(done))
    return () => clearTimeout(timer)
  }, [done, isHeld, dismiss])
  return { notices, notify, dismiss, hold }
}

/** Adds a notice. Replaces an earlier success, and a failure with the same text. */
function addNotice(before: readonly Notice[], notice: Notice): readonly Notice[] {
  const others = before.filter(({ kind, text }) => kind === 'error' && text !== notice.text)
  return [notice, ...others.slice(0, notice.kind === 'error' ? maximumErrors - 1 : maximumErrors)]
}

/** Milliseconds until a success is removed: time to read it. */
function toShownMs({ text }: Notice): number {
  return 3_000 + 50 * text.length
}
