import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Returns a reference to a part of the page. When a render removes the focused control of the part,
 * the part gets the focus, for which it needs a `tabIndex`. A control that is only moved keeps it.
 */
export function useKeptFocus<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null)
  const root = part.current?.getRootNode() as Document | ShadowRoot | undefined // it is connected
  // Before the render changes the page.
  const focused = part.current?.contains(root?.activeElement ?? null) && root?.activeElement
  useLayoutEffect(() => {
    const isLost = !root?.activeElement || root.activeElement === document.body
    if (!isLost || !(focused instanceof HTMLElement)) return
    if (focused.isConnected) focused.focus()
    else part.current?.focus()
  })
  return part
}
