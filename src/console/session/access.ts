import { useEffect, useState } from 'preact/hooks'
import { type Environment, environments } from '../../contract/addresses.js'

/** Selects the world that the page shows: its key and its environment. */
export interface Access {
  readonly apiKey: string
  readonly environment: Environment
}

/** The access of the page and a function that changes it. */
export type AccessState = readonly [access: Access, setAccess: (access: Access) => void]

export const defaultAccess: Access = { apiKey: 'sbx_free', environment: 'production' }

const storageName = 'petstore-sandbox.access'

/** Whether a key can be sent as a bearer token: visible ASCII characters only. */
export function isSendable(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey)
}

/** Returns the fragment of a link to a world, such as `#key=sbx_free&environment=staging`. */
export function toFragment({ apiKey, environment }: Access): string {
  return `#${new URLSearchParams({ key: apiKey, environment })}`
}

/** Reads the fragment of a link to a world; undefined if it has no sendable key. */
export function readFragment(fragment: string): Access | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const apiKey = fields.get('key')?.trim() ?? ''
  if (!isSendable(apiKey)) return undefined
  const name = fields.get('environment')
  const environment = environments.find((known) => known === name) ?? 'production'
  return { apiKey, environment }
}

/**
 * Returns the access of the page. The initial value is that of the link that opened the page, the
 * last one in this tab, or `defaultAccess`.
 */
export function useAccess(): AccessState {
  const [access, setAccess] = useState(
    () => readFragment(location.hash) ?? readFragment(readStorage()) ?? defaultAccess,
  )
  useEffect(() => writeStorage(toFragment(access)), [access])
  useEffect(() => {
    const applyLink = () => {
      const linked = readFragment(location.hash)
      if (!linked) return
      setAccess(linked)
      // Removes the key from the address bar, and therefore from the history and from screenshots.
      history.replaceState(null, '', `${location.pathname}${location.search}`)
    }
    applyLink()
    addEventListener('hashchange', applyLink)
    return () => removeEventListener('hashchange', applyLink)
  }, [])
  return [access, setAccess]
}

/** Reads the last fragment in this tab, so that a reload shows the same world. */
function readStorage(): string {
  try {
    return sessionStorage.getItem(storageName) ?? ''
  } catch {
    return ''
  }
}

function writeStorage(fragment: string): void {
  try {
    sessionStorage.setItem(storageName, fragment)
  } catch {
    // A browser may block storage. After a reload, the page then uses the default.
  }
}
