import { basename } from 'node:path'
import * as z from 'zod/mini'
import { platform } from '../../engine/platform.js'
import { UsageError } from '../../verify/usage-error.js'
import { scenarioNameSchema } from '../../world/scenario/schema.js'
import { defineCommand } from '../command.js'
import { baseUrlSchema, requireKey, sendingOptions } from '../deployment-options.js'
import { flag, option, textSchema } from '../options.js'

/** Writes what a deployment serves as a scenario file. */
export const pull = defineCommand({
  name: 'pull',
  description: 'Writes what a deployment of the service serves as a scenario file.',
  options: {
    url: option(
      '--url <url>',
      'Base URL of the deployment, which ends with the version.',
      baseUrlSchema(),
    ),
    key: sendingOptions.key,
    har: option(
      '--har <file>',
      'Reads a recorded HAR file instead; --url restricts it to a base URL.',
      z.string(),
    ),
    name: option(
      '--name <name>',
      'Name of the scenario. Default: that of the file, or pulled.',
      scenarioNameSchema,
    ),
    output: option(
      '-o, --output <file>',
      'Scenario file. Default: the name with .json.',
      textSchema('a file'),
    ),
    force: flag('--force', 'Replaces an existing file.'),
    timeoutSeconds: sendingOptions.timeoutSeconds,
    maxWaitSeconds: sendingOptions.maxWaitSeconds,
  },
  notes: `Sends one request for the inventory, one for the orders and one for each pet, and stays within the
limit of the key. Sends the key to no other host. The exit code is 2 if the file could not be
written.`,
  examples: [
    'pull --url https://api.petstore.example/v1 --key "$KEY"',
    'pull --url http://127.0.0.1:4010/v1 --key sbx_free --name shop --output shop.json',
    'pull --har recorded.har',
    'pull --har recorded.har --url https://api.petstore.example/v1 --force',
  ],
  async run({ key, ...others }, terminal) {
    const { url, har, name = toName(others.output) } = others
    const { output = `${name}.json` } = others
    if (url === undefined && har === undefined) {
      throw new UsageError('--url or --har is missing; see petstore-sandbox pull --help')
    }
    const apiKey = har === undefined ? requireKey(key) : undefined
    const run = await import('../pull/run.js')
    await run.pull({ ...others, apiKey, name, output }, terminal, platform)
  },
})

/** Returns the name of a file, if a scenario can have it. Files in one directory need different names. */
function toName(output = ''): string {
  const { success, data } = scenarioNameSchema.safeParse(basename(output, '.json'))
  return success ? data : 'pulled'
}
