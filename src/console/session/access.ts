import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { environments } from '../../service/addresses.js'
import { isSendable } from '../../service/validation/options.js'
import type { Access } from './client.js'
import { readTab, writeTab } from './tab-storage.js'

/** The access of the page and a function that changes it. */
export type AccessState = readonly [access: Access, setAccess: (access: Access) => void]

export const defaultAccess: Access = { apiKey: 'sbx_free', environment: 'production' }

const storageName = 'petstore-sandbox.access'

/**
 * Returns the fragment of a link to a world, such as `#key=sbx_free&environment=staging`. It does
 * not contain the token.
 */
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

/** Returns the text that the tab stores: the fragment, and the token. */
export function toStored(access: Access): string {
  return `${toFragment(access)}${access.token ? `&${new URLSearchParams({ token: access.token })}` : ''}`
}

/** Reads a text of `toStored`; undefined if it has no sendable key. */
export function readStored(text: string): Access | undefined {
  const access = readFragment(text)
  const token = new URLSearchParams(text).get('token') ?? ''
  return access && isSendable(token) ? { ...access, token } : access
}

/** Returns the access to the world of a link. The token stays the same: it belongs to the sandbox. */
export function followLink({ token }: Access, link: Access): Access {
  return token === undefined ? link : { ...link, token }
}

/**
 * Returns the access of the page. The initial value is that of the link that opened the page, the
 * last one in this tab, or `defaultAccess`.
 */
export function useAccess(): AccessState {
  const [access, setAccess] = useState(() => {
    const stored = readStored(readTab(storageName)) ?? defaultAccess
    const linked = readFragment(location.hash)
    return linked ? followLink(stored, linked) : stored
  })
  // With the render, not after the paint: a reload that follows a link at once must find its key.
  useLayoutEffect(() => writeTab(storageName, toStored(access)), [access])
  useEffect(() => {
    const applyLink = () => {
      const linked = readFragment(location.hash)
      if (!linked) return
      setAccess((before) => followLink(before, linked))
      // Removes the key from the address bar, and therefore from the history and from screenshots.
      history.replaceState(null, '', `${location.pathname}${location.search}`)
    }
    applyLink()
    addEventListener('hashchange', applyLink)
    return () => removeEventListener('hashchange', applyLink)
  }, [])
  return [access, setAccess]
}
