import { Command } from 'commander'
import * as z from 'zod/mini'
import { platform } from '../../engine/platform.js'
import { formatKey, isLabel, parseApiKey } from '../../service/api-key.js'
import { planIds } from '../../service/plans.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { createSigner } from '../../transport/http/access.js'
import { addOptions, flagSchema, option, readOptions, toExamples } from '../options.js'
import { toJson } from '../render.js'
import { keySecretOption } from '../serve/options.js'
import type { Terminal } from '../terminal.js'

const notes = `
The key is not stored. A sandbox creates its world on the first request with the key. A sandbox with
a key secret accepts only keys that were signed with it.
`

const labelForm = '1 to 64 letters, digits or -'

const options = {
  plan: option('--plan <plan>', 'Plan of the key.', z.enum(planIds))
    .choices(planIds)
    .default('free'),
  scenario: option(
    '--scenario <name>',
    'Scenario that the world starts from, or several joined with +. The server must have them.',
    z.string(),
  ).default('default'),
  label: option(
    '--label <name>',
    'Label of the key, such as the name of a partner. Default: random.',
    z.optional(z.string().check(z.refine(isLabel, { error: labelForm }))),
  ),
  keySecret: keySecretOption('Secret of the sandbox, which signs the key.'),
  json: option('--json', 'Prints a JSON object of {apiKey}.', flagSchema),
}

/** Defines `key`, which prints a new API key for a private world. */
export function defineKey(terminal: Terminal): Command {
  const command = new Command('key')
    .description('Prints a new API key for a private world, with a random label.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'key',
          'key --plan pro --scenario low-stock',
          'key --label acme --key-secret "$KEY_SECRET"',
        ]),
    )
  return addOptions(command, options).action(() => {
    const { plan, scenario, keySecret, json, ...others } = readOptions(command, options)
    const { label = platform.randomLabel() } = others
    const apiKey = formatKey(keySecret && createSigner(keySecret), plan, scenario, label)
    if (parseApiKey(apiKey)?.scenario !== scenario) {
      const found = JSON.stringify(scenario)
      throw new UsageError(
        `--scenario must be the name of a scenario, found ${found}; petstore-sandbox scenarios lists them`,
      )
    }
    terminal.stdout.write(json ? toJson({ apiKey }) : `${apiKey}\n`)
  })
}
