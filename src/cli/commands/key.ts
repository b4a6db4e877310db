import * as z from 'zod/mini'
import { platform } from '../../engine/platform.js'
import { formatKey, isLabel, issueKey, parseApiKey, toExpiry } from '../../service/api-key.js'
import { planIds } from '../../service/plans.js'
import { timestampSchema } from '../../service/schemas.js'
import { createSigner } from '../../transport/http/access.js'
import { UsageError } from '../../verify/usage-error.js'
import { defineCommand } from '../command.js'
import { baseUrl, choice, flag, parsed } from '../options.js'
import { toJson } from '../render.js'
import { keySecretFileOption, keySecretOption, readKeySecrets } from '../serve/options.js'

/** Prints a new API key for a private world. */
export const createCommand = defineCommand({
  name: 'key',
  description: 'Prints a new API key for a private world, with a random label.',
  options: {
    plan: choice('--plan <plan>', 'Plan of the key.', planIds).withDefault('free'),
    scenario: parsed(
      '--scenario <name>',
      'Scenario that the world starts from, or several joined with +. The server must have them.',
      'the name of a scenario, which petstore-sandbox scenarios lists',
      (value) => (parseApiKey(`sbx_free_${value}`)?.scenario === value ? value : undefined),
    ).withDefault('default'),
    label: parsed(
      '--label <name>',
      'Label of the key, such as the name of a partner. Default: random.',
      '1 to 64 letters, digits or -',
      (value) => (isLabel(value) ? value : undefined),
    ),
    keySecrets: keySecretOption('Secret of the sandbox, which signs the key.'),
    keySecretFile: keySecretFileOption('File with the secret, instead of --key-secret.'),
    expiresMs: parsed(
      '--expires <time>',
      'Time from which the key is rejected: a number of days, such as 30d, or a date. Requires a key secret. Default: the key does not expire.',
      'a number of days from 1d to 9999d, or a time in the future such as 2030-12-31 or 2030-12-31T18:00:00Z',
      readExpiry,
    ),
    url: baseUrl(
      '--url <url>',
      'Root URL of the sandbox. Also prints a link that opens its console with the key.',
      'http://127.0.0.1:4010',
    ),
    json: flag('--json', 'Prints a JSON object of {apiKey, expiresAt?, consoleUrl?}.'),
  },
  notes: `The key is not stored. A sandbox creates its world on the first request with the key. A sandbox with
a key secret accepts only keys that were signed with it.`,
  examples: [
    'key',
    'key --plan pro --scenario low-stock',
    'key --label acme --key-secret "$KEY_SECRET"',
    'key --label acme --key-secret-file ./key-secret --expires 90d --url https://sandbox.example',
  ],
  run(options, { stdout }) {
    const { plan, scenario, label = platform.randomLabel(), expiresMs, url, json } = options
    const secrets = readKeySecrets(options)
    if (expiresMs !== undefined && !secrets) {
      throw new UsageError(
        '--expires requires --key-secret or --key-secret-file, which sign the key',
      )
    }
    const apiKey = secrets
      ? issueKey(createSigner(secrets), plan, scenario, label, expiresMs)
      : formatKey(plan, scenario, label)
    const consoleUrl = url && `${url}/#${new URLSearchParams({ key: apiKey })}`
    const expiresAt = expiresMs === undefined ? undefined : new Date(expiresMs).toISOString()
    if (json) stdout.write(toJson({ apiKey, expiresAt, consoleUrl }))
    else stdout.write(`${apiKey}\n${consoleUrl ? `${consoleUrl}\n` : ''}`)
  },
})

const dateSchema = z.union([z.iso.date(), timestampSchema])

/** Reads `30d`, a date, or a date and time. Returns the time in milliseconds, in whole seconds. */
function readExpiry(text: string): number | undefined {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
  const now = platform.now()
  if (days === undefined && !dateSchema.safeParse(text).success) return undefined
  const ms = days === undefined ? Date.parse(text) : now + Number(days) * 86_400_000
  return toExpiry(ms, now)
}
