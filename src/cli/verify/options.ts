import * as z from 'zod/mini'
import { isInt64 } from '../../service/int64.js'
import { planIds } from '../../service/plans.js'
import { baseUrlSchema, keyOption, sendingOptions } from '../deployment-options.js'
import { flag, type OptionValues, option, outputOption, readSchema } from '../options.js'

const formats = ['text', 'json', 'junit'] as const

/** The options of `verify`, in the order of the help. */
export const verifyOptions = {
  url: option('--url <url>', 'The {base_url}, which ends in /v1.', baseUrlSchema()).makeRequired(),
  key: sendingOptions.key,
  stagingUrl: option(
    '--staging-url <url>',
    'The {staging_base_url}. Default: staging is not checked.',
    baseUrlSchema('http://127.0.0.1:4010/staging/v1'),
  ),
  stagingKey: keyOption(
    '--staging-key <key>',
    'API key of staging. Default: that of --key.',
    'PETSTORE_STAGING_API_KEY',
  ),
  quickstartUrl: option(
    '--quickstart-url <url>',
    'The {quickstart_base_url}. Default: POST /messages is not checked.',
    baseUrlSchema('http://127.0.0.1:4010/quickstart'),
  ),
  plan: option('--plan <plan>', 'Plan of the key, to check its limit.', z.enum(planIds)).choices(
    planIds,
  ),
  allowsWrites: flag(
    '--allow-writes',
    'Also sends PATCH and POST: sets the quantity of a pet, restores it, and queues a message.',
  ),
  petId: option(
    '--pet <petId>',
    'Pet whose quantity --allow-writes changes. Default: the first one.',
    readSchema('an int64', (text) => (isInt64(text) ? text : undefined)),
  ),
  exhausts: flag('--exhaust', 'Also uses up the limit of the key, and sends a request beyond it.'),
  isStrict: flag('--strict', 'Exits with 2 if a check was skipped.'),
  timeoutSeconds: sendingOptions.timeoutSeconds,
  maxWaitSeconds: sendingOptions.maxWaitSeconds,
  format: option(
    '--format <format>',
    'Format of the report. Default: text, or json with --json.',
    z.enum(formats),
  ).choices(formats),
  json: flag('--json', 'Prints the report as JSON, like --format json.'),
  output: outputOption(),
}

/** The options of `verify`. */
export type VerifySettings = OptionValues<typeof verifyOptions>
