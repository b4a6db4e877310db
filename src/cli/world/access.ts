import type { Command } from 'commander'
import { z } from 'zod'
import { addresses, environments } from '../../contract/addresses.js'
import { CliError } from '../cli-error.js'
import { readOptions } from '../read-options.js'

/** Which world of which sandbox, and how to tell of it. */
export interface Access {
  /** The root of the sandbox, without a slash at its end. */
  readonly url: string
  /** Where the world is steered. */
  readonly controlUrl: string
  /** Whole: for the Authorization header and nothing else. */
  readonly apiKey: string
  readonly isJson: boolean
}

const optionsSchema = z.strictObject({
  url: z
    .string()
    .refine(isRoot, { error: 'the http or https URL of a sandbox such as http://127.0.0.1:4010' }),
  key: z.string(),
  environment: z.enum(environments),
  json: z.literal(true).optional(),
})

/**
 * Reads the options that all commands of `world` share.
 *
 * @throws {CliError} Naming the one that does not fit; a key is never shown.
 */
export function readAccess(world: Command): Access {
  const { url: text, key, environment, json = false } = readOptions(world, optionsSchema)
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const found = key === '' ? 'an empty one' : 'one with a space or a character beyond ASCII'
    throw new CliError(
      `--key must be an API key such as sbx_free, found ${found}; petstore-sandbox key prints one`,
    )
  }
  const { origin, pathname } = new URL(text)
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  const address = environment === 'staging' ? addresses.stagingControl : addresses.control
  return { url, controlUrl: `${url}${address.httpPath}`, apiKey: key, isJson: json }
}

/** Whether a text is a URL below which addresses can stand. */
function isRoot(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}
