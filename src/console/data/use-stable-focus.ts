import { useLayoutEffect, useRef } from 'preact/hooks'

/** The control that had the focus, and its place. */
interface Place {
  readonly element: Element
  /** Name of the control in its row. */
  readonly control: string
  /** Index of its row in its group of rows. */
  readonly index: number
  readonly group: string
}

/**
 * Keeps the focus in a part of the page when the row of the focused control is removed: moves it to
 * the same control of the row that takes its place, otherwise to `[data-fallback]`. Rows have
 * `data-row`, a group of rows `data-group`, and their controls `data-control`.
 *
 * Returns a function that names a row to which the focus moves instead, unless the user moves it.
 */
export function useStableFocus(part: {
  readonly current: HTMLElement | null
}): (row: string, control: string) => void {
  const place = useRef<Place | undefined>(undefined)
  const wanted = useRef<{ row: string; control: string } | undefined>(undefined)
  useLayoutEffect(
    () =>
      trackFocus(part.current, (found) => {
        place.current = found
        wanted.current = undefined
      }),
    [part],
  )
  useLayoutEffect(() => {
    const isLost = place.current !== undefined && !place.current.element.isConnected
    if (!part.current || !place.current || !isLost || !hasNoFocus()) return
    const target =
      findWanted(part.current, wanted.current) ??
      findNeighbour(part.current, place.current) ??
      part.current.querySelector<HTMLElement>('[data-fallback]')
    target?.focus()
  })
  return (row, control) => {
    wanted.current = { row, control }
  }
}

/** Reports the focused control of a part of the page; undefined after the user has left the part. */
function trackFocus(
  part: HTMLElement | null,
  report: (place: Place | undefined) => void,
): (() => void) | undefined {
  if (!part) return
  const enter = ({ target }: FocusEvent) => {
    if (target instanceof Element) report(toPlace(target))
  }
  const leave = ({ target }: FocusEvent) => {
    // A removed control loses the focus too, but the user has not left it.
    setTimeout(() => {
      const isRemoved = target instanceof Element && !target.isConnected
      if (!isRemoved && !part.contains(document.activeElement)) report(undefined)
    })
  }
  part.addEventListener('focusin', enter)
  part.addEventListener('focusout', leave)
  return () => {
    part.removeEventListener('focusin', enter)
    part.removeEventListener('focusout', leave)
  }
}

function toPlace(element: Element): Place {
  const row = element.closest('[data-row]')
  const siblings = row?.parentElement?.children ?? []
  return {
    element,
    control: element.getAttribute('data-control') ?? '',
    index: row ? Array.from(siblings).indexOf(row) : 0,
    group: row?.closest('[data-group]')?.getAttribute('data-group') ?? '',
  }
}

function findWanted(
  part: HTMLElement,
  wanted: { row: string; control: string } | undefined,
): HTMLElement | undefined {
  if (!wanted) return undefined
  const rows = part.querySelectorAll<HTMLElement>('[data-row]')
  const row = Array.from(rows).find(({ dataset }) => dataset.row === wanted.row)
  return row && findControl(row, wanted.control)
}

function findNeighbour(part: HTMLElement, { group, index, control }: Place) {
  const rows = part.querySelectorAll<HTMLElement>(`[data-group="${group}"] [data-row]`)
  const row = rows[Math.min(index, rows.length - 1)]
  return row && findControl(row, control)
}

function findControl(row: HTMLElement, control: string): HTMLElement | undefined {
  return row.querySelector<HTMLElement>(`[data-control="${control}"]`) ?? undefined
}

function hasNoFocus(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body
}
