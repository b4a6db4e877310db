import { useEffect, useState } from 'preact/hooks'
import { type PageRoute, readRoute } from './route.js'

/** Where the page is, by the fragment of its address. */
export function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useEffect(() => {
    const onChange = () => setRoute(readRoute(location.hash))
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return route
}
