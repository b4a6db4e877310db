import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { isInt64 } from '../../service/int64.js'
import { planIds } from '../../service/plans.js'
import {
  baseUrlSchema,
  createSendingOptions,
  keyVariables,
  readKey,
  requireKey,
  sendingShape,
} from '../deployment-options.js'
import { AssessmentCommand, toExamples } from '../options.js'
import { readOptions } from '../read-options.js'
import type { Terminal } from '../terminal.js'

const notes = `
Without further options it only reads. It sends the key to the given URLs only, follows no
redirects, waits when the limit of the key is used up, and stops at a 429.
Exit code: 0 if the service agrees with the specification, 1 if it deviates, 2 if it could not be
checked, or if --strict is set and a check was skipped.
`

/** Defines `verify`, which checks a deployment of the service against the specification. */
export function defineVerify(terminal: Terminal): Command {
  const command = new AssessmentCommand('verify')
    .description('Checks a deployment of the service against the specification.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'verify --url https://api.shop.example/v1',
          'verify --url http://127.0.0.1:4010/v1 --key sbx_free --plan free',
          'verify --url https://api.shop.example/v1 --staging-url https://staging.shop.example/v1',
          'verify --url https://api.shop.example/v1 --allow-writes --pet 7',
          'verify --url https://api.shop.example/v1 --format junit --output verify.xml',
        ]),
    )
  for (const option of createOptions()) command.addOption(option)
  return command.action(async () => {
    const settings = readSettings(command, terminal.env)
    const { runVerify } = await import('../verify/run.js')
    await runVerify(settings, terminal)
  })
}

function createOptions(): readonly Option[] {
  return [
    new Option('--url <url>', 'The {base_url}, which ends in /v1.').makeOptionMandatory(),
    new Option('--key <key>', `API key. (env: ${keyVariables['--key']})`),
    new Option('--staging-url <url>', 'The {staging_base_url}. Default: staging is not checked.'),
    new Option(
      '--staging-key <key>',
      `API key of staging. Default: that of --key. (env: ${keyVariables['--staging-key']})`,
    ),
    new Option(
      '--quickstart-url <url>',
      'The {quickstart_base_url}. Default: POST /messages is not checked.',
    ),
    new Option('--plan <plan>', 'Plan of the key, to check its limit.').choices(planIds),
    new Option(
      '--allow-writes',
      'Also sends PATCH and POST: sets the quantity of a pet, restores it, and queues a message.',
    ),
    new Option(
      '--pet <petId>',
      'Pet whose quantity --allow-writes changes. Default: the first one.',
    ),
    new Option('--exhaust', 'Also uses up the limit of the key, and sends a request beyond it.'),
    new Option('--strict', 'Exits with 2 if a check was skipped.'),
    ...createSendingOptions(),
    new Option('--format <format>', 'Format of the report.')
      .choices(['text', 'json', 'junit'])
      .default('text'),
    new Option('-o, --output <file>', 'Writes the report to this file instead of stdout.'),
  ]
}

function readSettings(command: Command, env: Terminal['env']) {
  const options = readOptions(command, optionsSchema())
  const { url, stagingUrl, quickstartUrl, pet, timeout, maxWait, ...others } = options
  return {
    urls: {
      api: url,
      staging: stagingUrl,
      quickstart: quickstartUrl,
    },
    key: requireKey(options.key, env),
    stagingKey: readKey(options.stagingKey, env, '--staging-key'),
    plan: others.plan,
    petId: pet,
    allowsWrites: others.allowWrites === true,
    exhausts: others.exhaust === true,
    isStrict: others.strict === true,
    timeoutSeconds: timeout,
    maxWaitSeconds: maxWait,
    format: others.format,
    output: others.output,
  }
}

function optionsSchema() {
  const flag = z.optional(z.literal(true))
  return z.strictObject({
    url: baseUrlSchema(),
    key: z.optional(z.string()),
    stagingUrl: z.optional(baseUrlSchema('http://127.0.0.1:4010/staging/v1')),
    stagingKey: z.optional(z.string()),
    quickstartUrl: z.optional(baseUrlSchema('http://127.0.0.1:4010/quickstart')),
    plan: z.optional(z.enum(planIds)),
    allowWrites: flag,
    pet: z.optional(z.string().check(z.refine(isInt64, { error: 'an int64' }))),
    exhaust: flag,
    strict: flag,
    ...sendingShape(),
    format: z.enum(['text', 'json', 'junit']),
    output: z.optional(z.string()),
  })
}
