import { Command } from 'commander'
import { EnvOption, toExamples } from '../options.js'
import type { Terminal } from '../terminal.js'

const notes = `
A file can extend built-in scenarios, files in the same directory and files of --scenarios.
`

/** Defines `check`, which validates scenario files. */
export function defineCheck(terminal: Terminal): Command {
  return new Command('check')
    .description('Checks scenario files. Prints one line for each problem.')
    .argument('<file...>', 'Scenario files, or directories of scenario files.')
    .addOption(
      new EnvOption('--scenarios <dir>', 'Directory of scenario files that the files may extend.'),
    )
    .option('--json', 'Prints a JSON array of {file, problems: [{message, line, column}]}.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'check my-shop.json',
          'check ./scenarios',
          'check my-shop.json --scenarios ./shared',
        ]),
    )
    .action(async (paths: string[], options: { scenarios?: string; json?: true }) => {
      const { checkFiles } = await import('../check-files.js')
      await checkFiles(paths, options, terminal)
    })
}
