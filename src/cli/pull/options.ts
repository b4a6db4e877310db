import * as z from 'zod/mini'
import { scenarioNameSchema } from '../../world/scenario/schema.js'
import { baseUrlSchema, sendingOptions } from '../deployment-options.js'
import { flagSchema, type OptionValues, option, textSchema } from '../options.js'

/** The options of `pull`, in the order of the help. */
export const pullOptions = {
  url: option(
    '--url <url>',
    'Base URL of the deployment, which ends with the version.',
    z.optional(baseUrlSchema()),
  ),
  key: sendingOptions.key,
  har: option(
    '--har <file>',
    'Reads a recorded HAR file instead; --url restricts it to a base URL.',
    z.optional(z.string()),
  ),
  name: option(
    '--name <name>',
    'Name of the scenario. Default: that of the file, or pulled.',
    z.optional(scenarioNameSchema),
  ),
  output: option(
    '-o, --output <file>',
    'Scenario file. Default: the name with .json.',
    z.optional(textSchema('a file')),
  ),
  force: option('--force', 'Replaces an existing file.', flagSchema),
  timeoutSeconds: sendingOptions.timeoutSeconds,
  maxWaitSeconds: sendingOptions.maxWaitSeconds,
}

/** The options of `pull`. */
export type PullSettings = OptionValues<typeof pullOptions>
