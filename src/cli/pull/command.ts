import { basename } from 'node:path'
import { type Platform, platform } from '../../engine/platform.js'
import { createMask } from '../../service/mask.js'
import { toPlainLine } from '../../service/validation/message.js'
import { createHttpSender, listUnencrypted } from '../../verify/http-sender.js'
import { readHar, requestAll } from '../../verify/pull/responses.js'
import { buildScenario } from '../../verify/pull/scenario.js'
import { UsageError } from '../../verify/usage-error.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { scenarioNameSchema } from '../../world/scenario/schema.js'
import { defineCommand } from '../command.js'
import {
  createSendingOptions,
  flag,
  type OptionValues,
  option,
  outputOption,
  text,
} from '../options.js'
import { toJson } from '../render.js'
import { checkOutput, type Terminal, writeOutput } from '../terminal.js'

const pullOptions = {
  ...createSendingOptions(),
  har: text('--har <file>', 'Reads a recorded HAR file instead; --url restricts it to a base URL.'),
  name: option(
    '--name <name>',
    'Name of the scenario. Default: the name of the file, or pulled.',
    scenarioNameSchema,
  ),
  output: outputOption('Scenario file. Default: the name with .json.'),
  force: flag('--force', 'Replaces an existing file.'),
  json: flag('--json', 'Prints a JSON object of {file, plan, lines}.'),
}

/** The options of `pull`. */
export type PullSettings = OptionValues<typeof pullOptions>

/** Writes what a deployment serves as a scenario file. */
export const createCommand = defineCommand({
  name: 'pull',
  description: 'Writes what a deployment of the service serves as a scenario file.',
  options: pullOptions,
  notes: `Sends one request for the inventory, one for the orders and one for each pet, and stays within the
limit of the key. Sends the key to no other host. The exit code is 2 if the file is not written.`,
  examples: [
    'pull --url https://api.petstore.example/v1 --key "$KEY"',
    'pull --url http://127.0.0.1:4010/v1 --key sbx_free --name shop --output shop.json',
    'pull --har recorded.har',
    'pull --har recorded.har --url https://api.petstore.example/v1 --force',
  ],
  run: (settings, terminal) => runPull(settings, terminal, platform),
})

/**
 * Writes what a deployment serves, or what a HAR file has recorded, as a scenario file.
 *
 * @throws {UsageError} If the responses cannot be received, or the file cannot be written.
 */
export async function runPull(
  settings: PullSettings,
  terminal: Terminal,
  platform: Pick<Platform, 'monotonic' | 'now' | 'sleep'>,
): Promise<void> {
  // Files in one directory need different names.
  const ownName = scenarioNameSchema.safeParse(basename(settings.output ?? '', '.json')).data
  const { url, har, key = '', force, name = ownName ?? 'pulled' } = settings
  const { output = `${name}.json`, json } = settings
  if (har === undefined && (url === undefined || key === '')) {
    const needed = url === undefined ? '--url or --har' : '--key or PETSTORE_API_KEY'
    throw new UsageError(`${needed} is missing; see petstore-sandbox pull --help`)
  }
  const notify = (line: string) => terminal.stderr.write(`${toPlainLine(line)}\n`)
  await checkOutput({ output, force })
  const receive = async (api = '') => {
    const stop = new AbortController()
    terminal.onStopSignal(() => stop.abort(new UsageError('interrupted')))
    for (const line of listUnencrypted([api])) notify(line)
    const timeoutMs = settings.timeoutSeconds * 1000
    const send = createHttpSender({ timeoutMs, keys: [key], userAgent: 'petstore-sandbox pull' })
    const { signal } = stop
    return requestAll({ ...platform, ...settings, urls: { api }, key, send, notify, signal })
  }
  const deployment = har === undefined ? await receive(url) : await readHar(har, url, notify)
  const { scenario, plan, lines } = buildScenario(deployment, name)
  await new ScenarioLibrary().prepare(scenario)
  // A response may have had a key with escaped characters.
  const mask = createMask([key])
  await writeOutput(mask(toJson(scenario)), { output, force }, terminal)
  const next = `serve it with petstore-sandbox serve --scenario ${output} and use the key sbx_${plan}`
  const shown = lines.map(mask)
  const toText = () => [...shown, next].map((line) => `${toPlainLine(line)}\n`).join('')
  terminal.stdout.write(json ? toJson({ file: output, plan, lines: shown }) : toText())
}
