import { useLayoutEffect } from 'preact/hooks'
import { environments } from '../../service/addresses.js'
import { isSendable } from '../../service/validation/options.js'
import type { Access } from './client.js'
import { useTabState } from './tab-storage.js'

/** The access of the page and a function that changes it. */
export type AccessState = readonly [access: Access, setAccess: (access: Access) => void]

export const defaultAccess: Access = { apiKey: 'sbx_free', environment: 'production' }

/**
 * Returns the fragment of a link to a world, such as `#key=sbx_free&environment=staging`. It does
 * not contain the token.
 */
export function toFragment({ apiKey, environment }: Access): string {
  return `#${new URLSearchParams({ key: apiKey, environment })}`
}

/** Reads the fragment of a link to a world; undefined if it has no sendable key. */
export function readFragment(fragment: string): Access | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'))
  const apiKey = fields.get('key')?.trim() ?? ''
  if (!isSendable(apiKey)) return undefined
  const name = fields.get('environment')
  const environment = environments.find((known) => known === name) ?? 'production'
  return { apiKey, environment }
}

/** Returns the access of the page: from the link that opened it, or the last one in this tab. */
export function useAccess(): AccessState {
  const [access, setAccess] = useTabState('petstore-sandbox.access', defaultAccess)
  useLayoutEffect(() => {
    const applyLink = () => {
      const linked = readFragment(location.hash)
      if (!linked) return
      // The token stays the same: it belongs to the sandbox.
      setAccess((before) => ({ ...before, ...linked }))
      // Removes the key from the address bar, and therefore from the history and from screenshots.
      history.replaceState(null, '', `${location.pathname}${location.search}`)
    }
    applyLink()
    addEventListener('hashchange', applyLink)
    return () => removeEventListener('hashchange', applyLink)
  }, [])
  return [access, setAccess]
}
