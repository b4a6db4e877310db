import { Command } from 'commander'
import * as z from 'zod/mini'
import type { ScenarioSummary } from '../../world/scenario/library.js'
import { rejectProblems } from '../failure.js'
import {
  addOptions,
  envOption,
  flagSchema,
  option,
  readOptions,
  textSchema,
  toExamples,
} from '../options.js'
import { createPaint, type Paint, type Terminal, toJson } from '../terminal.js'

const options = {
  scenarios: envOption(
    '--scenarios <dir>',
    'Directory of additional scenario files.',
    z.optional(textSchema('a directory')),
  ),
  json: option('--json', 'Prints a JSON array of {name, description, source}.', flagSchema),
}

/** Defines `scenarios`, which lists the known scenarios. */
export function defineScenarios(terminal: Terminal): Command {
  const command = new Command('scenarios')
    .description('Lists the scenarios that --scenario and API keys can name.')
    .addHelpText(
      'after',
      toExamples([
        'scenarios',
        'scenarios --scenarios ./scenarios',
        "scenarios --json | jq -r '.[].name'",
      ]),
    )
  return addOptions(command, options).action(async () => {
    const { stdout, env } = terminal
    const { scenarios, json } = readOptions(command, options)
    const list = await listScenarios(scenarios)
    stdout.write(json ? toJson(list) : toTable(list, createPaint(stdout, env)))
  })
}

/** A scenario with the path of its file, or `built-in`. */
interface ListedScenario extends Omit<ScenarioSummary, 'source'> {
  readonly source: string
}

async function listScenarios(directory: string | undefined): Promise<readonly ListedScenario[]> {
  const { ScenarioLibrary } = await import('../../world/scenario/library.js')
  const { ScenarioFiles } = await import('../scenario-files.js')
  const library = new ScenarioLibrary()
  if (directory) rejectProblems(await new ScenarioFiles({ directory }, library).load())
  return library.list().map((summary) => ({
    ...summary,
    source: library.fileOf(summary.name) ?? summary.source,
  }))
}

function toTable(list: readonly ListedScenario[], paint: Paint): string {
  const width = Math.max(...list.map(({ name }) => name.length))
  return list
    .map(({ name, description, source }) => {
      const from = source === 'built-in' ? '' : paint('dim', ` (${source})`)
      return `${paint('bold', name.padEnd(width))}  ${description}${from}\n`
    })
    .join('')
}
