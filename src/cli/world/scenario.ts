import type { ControlResult } from '../../control/operations.js'
import { toCount } from '../../service/validation/message.js'
import { readScenarioFile } from '../../world/scenario/files.js'
import { type Paint, writeOutput } from '../terminal.js'
import { toClockPairs } from './clock.js'
import { toPairs } from './columns.js'
import { defineCommand, type WorldCommand } from './command.js'
import { toQuotaPairs } from './quota.js'

export const show = defineCommand({
  name: 'show',
  operation: 'getOverview',
  description: 'Shows a summary of the world: scenario, clock, quota and number of records.',
  examples: ['', '--environment staging', '--json'],
  toText: toOverviewText,
})

export const use = defineCommand({
  name: 'use',
  operation: 'putScenario',
  description: 'Restarts the world from a scenario, or from several merged scenarios.',
  arguments: [['<scenario...>', 'Names or .json files, merged from left to right.']],
  examples: ['low-stock', 'low-stock flaky', 'seen.json'],
  async toInput({ args }) {
    const sources = await Promise.all(args.map(readSource))
    // The world is named after a single scenario only if it is not in an array.
    const json = JSON.stringify(sources.length === 1 ? sources[0] : sources)
    return { json }
  },
  toText: toOverviewText,
})

export const reset = defineCommand({
  name: 'reset',
  operation: 'resetWorld',
  description: 'Resets the world to the start of its scenario, and clears the journal.',
  examples: [''],
  toText: toOverviewText,
})

export const snapshot: WorldCommand = {
  name: 'snapshot',
  operation: 'getSnapshot',
  description: 'Exports the whole state of the world as a scenario file.',
  options: [
    ['--name <name>', 'Name of the scenario, in kebab-case. Default: snapshot.'],
    ['-o, --output <file>', 'Writes to this file instead of stdout.'],
  ],
  examples: ['', '--name out-of-nemo --output seen.json'],
  async run({ client, terminal }, command) {
    const { name, output }: { name?: string; output?: string } = command.opts()
    const scenario = await client.send('getSnapshot', { query: { name } })
    await writeOutput(`${JSON.stringify(scenario, null, 2)}\n`, output, terminal)
  },
}

/** A name is in kebab-case, so a source with a dot or a slash is a file. */
async function readSource(source: string): Promise<unknown> {
  if (!/[./\\]/.test(source)) return source
  return (await readScenarioFile(source)).file
}

function toOverviewText(overview: ControlResult<'getOverview'>, paint: Paint): string {
  const { world, scenario, apiKey, clock, quota, counts } = overview
  const name = [world.environment, world.scenario, world.label].filter((part) => part !== '')
  const records = Object.entries(counts).map(([plural, count]) => toCount(count, plural))
  return toPairs(
    [
      ['World', name.join('/')],
      ['Key', apiKey],
      ['Scenario', scenario],
      ...toClockPairs(clock),
      ...toQuotaPairs(quota),
      ['Records', records.join(', ')],
    ],
    paint,
  )
}
