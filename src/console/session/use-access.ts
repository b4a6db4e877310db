import { useEffect, useState } from 'preact/hooks'
import type { Access } from './access.js'
import { readFragment } from './access-link.js'
import { recallAccess, rememberAccess } from './access-memory.js'

/** The key and environment that the page shows; a link with a key in its fragment changes them. */
export function useAccess(): [Access, (access: Access) => void] {
  const [access, setAccess] = useState(recallAccess)
  useEffect(() => rememberAccess(access), [access])
  useEffect(() => {
    const takeLink = () => {
      const linked = readFragment(location.hash)
      if (!linked) return
      setAccess(linked)
      // The key leaves the address bar, and with it the history and every screenshot.
      history.replaceState(null, '', `${location.pathname}${location.search}`)
    }
    takeLink()
    addEventListener('hashchange', takeLink)
    return () => removeEventListener('hashchange', takeLink)
  }, [])
  return [access, setAccess]
}
