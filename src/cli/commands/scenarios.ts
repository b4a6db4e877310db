import { Command } from 'commander'
import { EnvOption } from '../env-option.js'
import type { Terminal } from '../terminal.js'

const examples = `
Examples:
  petstore-sandbox scenarios
  petstore-sandbox scenarios --scenarios ./scenarios
  petstore-sandbox scenarios --json | jq -r '.[].name'`

/** `scenarios`: lists the states that a world can start from. */
export function defineScenarios(terminal: Terminal): Command {
  return new Command('scenarios')
    .description(
      'List the scenarios: their names, for --scenario and for API keys, and what each is for.',
    )
    .addOption(new EnvOption('--scenarios <dir>', 'a directory of further scenario files'))
    .option('--json', 'as a JSON array of {name, description, source}')
    .addHelpText('after', examples)
    .action(async (options: { scenarios?: string; json?: true }) => {
      const { listScenarios } = await import('../list-scenarios.js')
      await listScenarios(options, terminal)
    })
}
