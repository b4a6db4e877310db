import { platform } from '../../engine/platform.js'
import { formatKey, isLabel, parseApiKey } from '../../service/api-key.js'
import { planIds } from '../../service/plans.js'
import { createSigner } from '../../transport/http/access.js'
import { defineCommand } from '../command.js'
import { choice, flag, parsed } from '../options.js'
import { toJson } from '../render.js'
import { keySecretOption } from '../serve/options.js'

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
    json: flag('--json', 'Prints a JSON object of {apiKey}.'),
  },
  notes: `The key is not stored. A sandbox creates its world on the first request with the key. A sandbox with
a key secret accepts only keys that were signed with it.`,
  examples: [
    'key',
    'key --plan pro --scenario low-stock',
    'key --label acme --key-secret "$KEY_SECRET"',
  ],
  run({ plan, scenario, label = platform.randomLabel(), keySecrets, json }, { stdout }) {
    const apiKey = formatKey(keySecrets && createSigner(keySecrets), plan, scenario, label)
    stdout.write(json ? toJson({ apiKey }) : `${apiKey}\n`)
  },
})
