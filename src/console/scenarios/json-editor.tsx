import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentProblem, Place } from './problems.js'

/** Time after the latest input until the text is passed on, in milliseconds. */
const pauseMs = 250

/** A text field with line numbers, in which lines with problems are marked. */
export function JsonEditor(props: {
  /** Text at the start. */
  initial: string
  label: string
  problems: readonly DocumentProblem[]
  /** Id of the list of problems. */
  describedBy: string
  area: RefObject<HTMLTextAreaElement | null>
  /**
   * Called a moment after the text has changed, or before, when the field loses the focus or is
   * removed.
   */
  onChange: (text: string) => void
}) {
  const { initial, label, problems, describedBy, area } = props
  const [start] = useState(initial)
  const [count, setCount] = useState(() => countLines(initial))
  const { view, update } = useVisibleLines(area)
  const { onInput, flush } = useDelayed(area, props.onChange)
  return (
    <div class="editor">
      <LineNumbers count={count} view={view} problems={problems} />
      <LineNotes view={view} problems={problems} />
      <textarea
        ref={area}
        class="code"
        rows={24}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-label={label}
        aria-invalid={problems.some(({ isWarning }) => !isWarning)}
        aria-describedby={describedBy}
        defaultValue={start}
        onScroll={update}
        onBlur={flush}
        onInput={({ currentTarget: { value } }) => {
          setCount(countLines(value))
          onInput()
        }}
      />
    </div>
  )
}

interface VisibleLines {
  /** In pixels. */
  readonly scrollTop: number
  readonly height: number
  readonly lineHeight: number
}

/** Shows the numbers of the visible lines only, because a document can have many thousands. */
function LineNumbers(props: {
  count: number
  view: VisibleLines
  problems: readonly DocumentProblem[]
}) {
  const { count, view, problems } = props
  const { scrollTop, height, lineHeight } = view
  const marked = useMemo(() => toMarks(problems), [problems])
  const first = Math.floor(scrollTop / lineHeight) + 1
  const last = Math.min(count, first + Math.ceil(height / lineHeight))
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return (
    <div class="line-numbers" aria-hidden="true">
      <span class="widest">{count}</span>
      <div style={toOffset(first, view)}>
        {numbers.map((line) => (
          <span key={line} class={marked.get(line)}>
            {line}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Shows the first problem of each visible line at its end. The list of problems has all of them. */
function LineNotes(props: { view: VisibleLines; problems: readonly DocumentProblem[] }) {
  const { view, problems } = props
  const { scrollTop, height, lineHeight } = view
  const notes = problems.flatMap(({ message, place, isWarning }, at) => {
    const isFirst = problems.findIndex((other) => other.place?.line === place?.line) === at
    const top = ((place?.line ?? 0) - 1) * lineHeight - scrollTop
    const isVisible = place && isFirst && top > -lineHeight && top < height
    return isVisible ? [{ message, isWarning, line: place.line }] : []
  })
  return (
    <div class="line-notes" aria-hidden="true">
      {notes.map(({ message, isWarning, line }) => (
        <span key={line} class={isWarning ? 'warning' : 'error'} style={toOffset(line, view)}>
          {message}
        </span>
      ))}
    </div>
  )
}

/** Moves an element down to a line. */
function toOffset(line: number, { scrollTop, lineHeight }: VisibleLines): { transform: string } {
  return { transform: `translateY(${(line - 1) * lineHeight - scrollTop}px)` }
}

function toMarks(problems: readonly DocumentProblem[]): ReadonlyMap<number, string> {
  const marks = new Map<number, string>()
  for (const { place, isWarning } of problems) {
    if (place && marks.get(place.line) !== 'error') {
      marks.set(place.line, isWarning ? 'warning' : 'error')
    }
  }
  return marks
}

function useVisibleLines(area: RefObject<HTMLTextAreaElement | null>): {
  view: VisibleLines
  update: () => void
} {
  const [view, setView] = useState<VisibleLines>({ scrollTop: 0, height: 0, lineHeight: 20 })
  const update = () => {
    if (!area.current) return
    const { scrollTop, clientHeight: height } = area.current
    setView({ scrollTop, height, lineHeight: readLineHeight(area.current) })
  }
  useLayoutEffect(() => {
    update()
    // The user can change the height of the field.
    const observer = new ResizeObserver(update)
    if (area.current) observer.observe(area.current)
    return () => observer.disconnect()
  }, [])
  return { view, update }
}

/** Returns a function to call on each input, and one that passes the text on without a pause. */
function useDelayed(
  area: RefObject<HTMLTextAreaElement | null>,
  onChange: (text: string) => void,
): { onInput: () => void; flush: () => void } {
  const latest = useRef(onChange)
  latest.current = onChange
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const element = useRef<HTMLTextAreaElement>(null)
  const flush = () => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    if (element.current) latest.current(element.current.value)
  }
  useLayoutEffect(() => {
    element.current = area.current
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [area])
  const onInput = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, pauseMs)
  }
  return { onInput, flush }
}

/** Selects a part of the text and scrolls to it. */
export function showPlace(area: HTMLTextAreaElement, { line, start, end }: Place): void {
  area.focus()
  area.setSelectionRange(start, Math.min(end, start + 200))
  area.scrollTop = Math.max(0, line - 4) * readLineHeight(area)
  area.scrollLeft = 0
}

function readLineHeight(area: HTMLTextAreaElement): number {
  return Number.parseFloat(getComputedStyle(area).lineHeight)
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
