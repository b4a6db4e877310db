import { Command, Option } from 'commander'
import { z } from 'zod'
import { isLabel, parseApiKey } from '../../contract/api-key.js'
import { type PlanId, planIds } from '../../contract/plans.js'
import { createSigner } from '../../http/access.js'
import { formatKey } from '../../sandbox/access.js'
import { platform } from '../../sandbox/platform.js'
import { CliError } from '../failure.js'
import { EnvOption, toExamples } from '../options.js'
import { readOptions } from '../read-options.js'
import { keySecretSchema } from '../serve/options.js'
import type { Terminal } from '../terminal.js'

const notes = `
The key is not stored. A sandbox creates its world on the first request with the key. A sandbox with
a key secret accepts only keys that were signed with it.
`

const optionsSchema = z.strictObject({
  plan: z.enum(planIds),
  scenario: z.string(),
  label: z.string().refine(isLabel, { error: '1 to 64 letters, digits or -' }).optional(),
  keySecret: keySecretSchema.optional(),
})

/** Defines `key`, which prints a new API key for a private world. */
export function defineKey(terminal: Terminal): Command {
  const command = new Command('key')
    .description('Prints a new API key for a private world, with a random label.')
    .addOption(new Option('--plan <plan>', 'Plan of the key.').choices(planIds).default('free'))
    .option('--scenario <name>', 'Scenario that the world starts from.', 'default')
    .option('--label <name>', 'Label of the key, such as the name of a partner. Default: random.')
    .addOption(
      new EnvOption('--key-secret <secret>', 'Secret of the sandbox, which signs the key.'),
    )
    .addHelpText(
      'after',
      notes +
        toExamples([
          'key',
          'key --plan pro --scenario low-stock',
          'key --label acme --key-secret "$KEY_SECRET"',
        ]),
    )
  return command.action(() => {
    const { plan, scenario, label, keySecret } = readOptions(command, optionsSchema)
    terminal.stdout.write(`${createKey(plan, scenario, label, keySecret)}\n`)
  })
}

function createKey(
  plan: PlanId,
  scenario: string,
  label = platform.randomLabel(),
  secrets: readonly string[] | undefined,
): string {
  const signer = secrets && createSigner(secrets)
  const key = formatKey(signer, plan, scenario, label)
  if (parseApiKey(key)?.scenario === scenario) return key
  const found = JSON.stringify(scenario)
  throw new CliError(
    `--scenario must be the name of a scenario, found ${found}; petstore-sandbox scenarios lists them`,
  )
}
