import * as z from 'zod/mini'
import { scenarioNameSchema } from '../../world/scenario/schema.js'
import { baseUrlSchema, sendingOptions } from '../deployment-options.js'
import { flag, type OptionValues, option, textSchema } from '../options.js'

/** The options of `pull`, in the order of the help. */
export const pullOptions = {
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
}

/** The options of `pull`. */
export type PullSettings = OptionValues<typeof pullOptions>
