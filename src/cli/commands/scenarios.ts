import { Command } from 'commander'
import type { ScenarioSummary } from '../../world/scenario/library.js'
import { rejectProblems } from '../failure.js'
import { EnvOption, toExamples } from '../options.js'
import { createPaint, type Paint, type Terminal } from '../terminal.js'

/** Defines `scenarios`, which lists the known scenarios. */
export function defineScenarios(terminal: Terminal): Command {
  return new Command('scenarios')
    .description('Lists the scenarios that --scenario and API keys can name.')
    .addOption(new EnvOption('--scenarios <dir>', 'Directory of additional scenario files.'))
    .option('--json', 'Prints a JSON array of {name, description, source}.')
    .addHelpText(
      'after',
      toExamples([
        'scenarios',
        'scenarios --scenarios ./scenarios',
        "scenarios --json | jq -r '.[].name'",
      ]),
    )
    .action(async ({ scenarios, json }: { scenarios?: string; json?: true }) => {
      const { stdout, env } = terminal
      const list = await listScenarios(scenarios)
      const table = () => toTable(list, createPaint(stdout, env))
      stdout.write(json ? `${JSON.stringify(list, null, 2)}\n` : table())
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
