import { type Access, defaultAccess } from './access.js'
import { readFragment, toFragment } from './access-link.js'

const name = 'petstore-sandbox.access'

/** Keeps what the page shows until its tab is closed, so that a reload stays in the same world. */
export function rememberAccess(access: Access): void {
  try {
    sessionStorage.setItem(name, toFragment(access))
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

/** What the link says, else what the tab showed last, else the default. */
export function recallAccess(): Access {
  return readFragment(location.hash) ?? readFragment(recall()) ?? defaultAccess
}

function recall(): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}
