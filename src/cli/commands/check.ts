import { Command } from 'commander'
import { EnvOption } from '../env-option.js'
import type { Terminal } from '../terminal.js'

const examples = `
What a file extends may be a built-in scenario, a file beside it, or one of --scenarios.

Examples:
  petstore-sandbox check my-shop.json
  petstore-sandbox check ./scenarios
  petstore-sandbox check my-shop.json --scenarios ./shared`

/** `check`: says where scenario files do not fit. */
export function defineCheck(terminal: Terminal): Command {
  return new Command('check')
    .description('Check scenario files, one line for each place that does not fit.')
    .argument('<file...>', 'scenario files, or directories of them')
    .addOption(new EnvOption('--scenarios <dir>', 'a directory of scenarios that they may extend'))
    .addHelpText('after', examples)
    .action(async (paths: string[], { scenarios }: { scenarios?: string }) => {
      const { checkFiles } = await import('../check-files.js')
      await checkFiles(paths, scenarios, terminal)
    })
}
