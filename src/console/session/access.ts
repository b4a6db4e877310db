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

/** Returns the fragment of a link to a world: `#key=sbx_free&environment=staging`. */
export function toFragment({ apiKey, environment }: Access): string {
  return `#${new URLSearchParams({ key: apiKey, environment })}`
}

/** Reads the fragment of a link to a world; undefined if it has no sendable key. */
export function readFragment(fragment: string): Access | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const apiKey = fields.get('key')?.trim() ?? ''
  if (!isSendable(apiKey)) return undefined
  const named = fields.get('environment')
  const environment = environments.find((one) => one === named) ?? 'production'
  return { apiKey, environment }
}

/**
 * Returns the access of the page. It starts with the link that opened the page, else with what the
 * tab showed before, else with `defaultAccess`.
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
      // Removes the key from the address bar, and so from the history and from screenshots.
      history.replaceState(null, '', `${location.pathname}${location.search}`)
    }
    applyLink()
    addEventListener('hashchange', applyLink)
    return () => removeEventListener('hashchange', applyLink)
  }, [])
  return [access, setAccess]
}

/** Reads what the tab showed last, so that a reload stays in the same world. */
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
    // A browser may block storage; the page then starts with the default after a reload.
  }
}
