import { environments } from '../../contract/addresses.js'
import { type Access, isSendable } from './access.js'

/** The fragment of a link that opens the console with a key: `#key=sbx_free&environment=staging`. */
export function toFragment({ apiKey, environment }: Access): string {
  return `#${new URLSearchParams({ key: apiKey, environment })}`
}

/** Reads such a fragment; undefined when it names no key. */
export function readFragment(fragment: string): Access | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const apiKey = fields.get('key')?.trim() ?? ''
  if (!isSendable(apiKey)) return undefined
  const named = fields.get('environment')
  const environment = environments.find((one) => one === named) ?? 'production'
  return { apiKey, environment }
}
