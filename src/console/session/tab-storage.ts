/** Returns a string that this tab has stored; empty if there is none, or the browser blocks storage. */
export function readTab(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Stores a string in this tab. Does nothing if the browser blocks storage. */
export function writeTab(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value)
  } catch {
    // After a reload, the page then uses the default.
  }
}
