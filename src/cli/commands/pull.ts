import { basename } from 'node:path'
import { Command } from 'commander'
import * as z from 'zod/mini'
import { platform } from '../../engine/platform.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { scenarioNameSchema } from '../../world/scenario/schema.js'
import {
  baseUrlSchema,
  createSendingOptions,
  keyVariables,
  requireKey,
  sendingShape,
} from '../deployment-options.js'
import { toExamples } from '../options.js'
import { readOptions } from '../read-options.js'
import type { Terminal } from '../terminal.js'

const notes = `
Sends one request for the inventory, one for the orders and one for each pet, and stays within the
limit of the key. Sends the key to no other host. The exit code is 2 if the file could not be
written.
`

/** Defines `pull`, which writes what a deployment serves as a scenario file. */
export function definePull(terminal: Terminal): Command {
  const command = new Command('pull')
    .description('Writes what a deployment of the service serves as a scenario file.')
    .option('--url <url>', 'Base URL of the deployment, which ends with the version.')
    .option('--key <key>', `API key. (env: ${keyVariables['--key']})`)
    .option('--har <file>', 'Reads a recorded HAR file instead; --url restricts it to a base URL.')
    .option('--name <name>', 'Name of the scenario. Default: that of the file, or pulled.')
    .option('-o, --output <file>', 'Scenario file. Default: the name with .json.')
    .option('--force', 'Replaces an existing file.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'pull --url https://api.petstore.example/v1 --key "$KEY"',
          'pull --url http://127.0.0.1:4010/v1 --key sbx_free --name shop --output shop.json',
          'pull --har recorded.har',
          'pull --har recorded.har --url https://api.petstore.example/v1 --force',
        ]),
    )
  for (const option of createSendingOptions()) command.addOption(option)
  return command.action(async () => {
    const { key, timeout, maxWait, force = false, ...options } = readOptions(command, optionsSchema)
    const { url, har, name = toName(options.output) } = options
    const { output = `${name}.json` } = options
    if (url === undefined && har === undefined) {
      throw new UsageError('--url or --har is missing; see petstore-sandbox pull --help')
    }
    const apiKey = har === undefined ? requireKey(key, terminal.env) : undefined
    const { pull } = await import('../pull/run.js')
    const times = { timeoutSeconds: timeout, maxWaitSeconds: maxWait }
    await pull({ url, apiKey, har, name, output, force, ...times }, terminal, platform)
  })
}

/** Returns the name of a file, if a scenario can have it. Files in one directory need different names. */
function toName(output = ''): string {
  const { success, data } = scenarioNameSchema.safeParse(basename(output, '.json'))
  return success ? data : 'pulled'
}

const optionsSchema = z.strictObject({
  url: z.optional(baseUrlSchema()),
  key: z.optional(z.string()),
  har: z.optional(z.string()),
  name: z.optional(scenarioNameSchema),
  output: z.optional(z.string().check(z.minLength(1))),
  force: z.optional(z.literal(true)),
  ...sendingShape(),
})
