import { useLayoutEffect, useState } from 'preact/hooks'
import { parseJson } from '../../service/json.js'

/**
 * Like `useState` for an object, which this tab retains while other views are shown, and after a
 * reload.
 */
export function useTabState<T extends object>(name: string, initial: T) {
  const state = useState<T>(() => ({
    ...initial,
    ...Object(parseJson(readTab(name))), // written by this function
  }))
  // With the render, not after the paint: a reload that follows at once must find it.
  useLayoutEffect(() => writeTab(name, JSON.stringify(state[0])), [name, state[0]])
  return state
}

/** The browser can block storage. */
function readTab(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

function writeTab(name: string, value: string): void {
  try {
    // A value that does not fit must not leave an earlier one.
    sessionStorage.removeItem(name)
    sessionStorage.setItem(name, value)
  } catch {
    // After a reload, the page then uses the default.
  }
}
