import { Command, Option } from 'commander'
import { platform } from '../../engine/platform.js'
import { formatKey, isLabel, type KeySigner, parseApiKey } from '../../service/api-key.js'
import { type PlanId, planIds } from '../../service/plans.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { createSigner, keySecretForm, splitSecrets } from '../../transport/http/access.js'
import { SecretOption, toExamples } from '../options.js'
import type { Terminal } from '../terminal.js'

const notes = `
The key is not stored. A sandbox creates its world on the first request with the key. A sandbox with
a key secret accepts only keys that were signed with it.
`

interface KeyOptions {
  readonly plan: PlanId
  readonly scenario: string
  readonly label?: string
  readonly keySecret?: string
  readonly json?: true
}

/** Defines `key`, which prints a new API key for a private world. */
export function defineKey(terminal: Terminal): Command {
  const command = new Command('key')
    .description('Prints a new API key for a private world, with a random label.')
    .addOption(new Option('--plan <plan>', 'Plan of the key.').choices(planIds).default('free'))
    .option(
      '--scenario <name>',
      'Scenario that the world starts from, or several joined with +. The server must have them.',
      'default',
    )
    .option('--label <name>', 'Label of the key, such as the name of a partner. Default: random.')
    .addOption(
      new SecretOption('--key-secret <secret>', 'Secret of the sandbox, which signs the key.'),
    )
    .option('--json', 'Prints a JSON object of {apiKey}.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'key',
          'key --plan pro --scenario low-stock',
          'key --label acme --key-secret "$KEY_SECRET"',
        ]),
    )
  return command.action((options: KeyOptions) => {
    const source = command.getOptionValueSource('keySecret')
    const signer = readSigner(options.keySecret, source === 'cli' ? '--key-secret' : source)
    const apiKey = createKey(options, signer)
    terminal.stdout.write(`${options.json ? JSON.stringify({ apiKey }, null, 2) : apiKey}\n`)
  })
}

/** @param source The option or variable that set the secret. */
function readSigner(keySecret: string | undefined, source = '--key-secret'): KeySigner | undefined {
  if (keySecret === undefined) return undefined
  const secrets = splitSecrets(keySecret)
  if (secrets) return createSigner(secrets)
  const found = keySecret === '' ? 'an empty one' : 'a shorter one'
  throw new UsageError(`${source} must be ${keySecretForm}, found ${found}`)
}

function createKey(
  { plan, scenario, label = platform.randomLabel() }: KeyOptions,
  signer: KeySigner | undefined,
): string {
  if (!isLabel(label)) {
    const found = JSON.stringify(label.slice(0, 100))
    throw new UsageError(`--label must be 1 to 64 letters, digits or -, found ${found}`)
  }
  const key = formatKey(signer, plan, scenario, label)
  if (parseApiKey(key)?.scenario === scenario) return key
  const found = JSON.stringify(scenario)
  throw new UsageError(
    `--scenario must be the name of a scenario, found ${found}; petstore-sandbox scenarios lists them`,
  )
}
