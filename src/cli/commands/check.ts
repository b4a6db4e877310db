import { Command } from 'commander'
import * as z from 'zod/mini'
import {
  addOptions,
  envOption,
  flagSchema,
  option,
  readOptions,
  textSchema,
  toExamples,
} from '../options.js'
import type { Terminal } from '../terminal.js'

const notes = `
A file can extend built-in scenarios, files in the same directory and files of --scenarios.
`

const options = {
  scenarios: envOption(
    '--scenarios <dir>',
    'Directory of scenario files that the files may extend.',
    z.optional(textSchema('a directory')),
  ),
  json: option(
    '--json',
    'Prints a JSON array of {file, problems: [{message, line, column}]}.',
    flagSchema,
  ),
}

/** Defines `check`, which validates scenario files. */
export function defineCheck(terminal: Terminal): Command {
  const command = new Command('check')
    .description('Checks scenario files. Prints one line for each problem.')
    .argument('<file...>', 'Scenario files, or directories of scenario files.')
    .addHelpText(
      'after',
      notes +
        toExamples([
          'check my-shop.json',
          'check ./scenarios',
          'check my-shop.json --scenarios ./shared',
        ]),
    )
  return addOptions(command, options).action(async (paths: string[]) => {
    const { checkFiles } = await import('../check-files.js')
    await checkFiles(paths, readOptions(command, options), terminal)
  })
}
