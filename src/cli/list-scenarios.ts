import { ScenarioLibrary, type ScenarioSummary } from '../scenario/library.js'
import { createPaint, type Paint } from './colour.js'
import { refuseProblems } from './failure.js'
import { ScenarioFiles } from './scenario-files.js'
import type { Terminal } from './terminal.js'

/**
 * Prints every scenario with its description.
 *
 * @param options `scenarios` is a directory of further scenario files.
 * @throws {CliError | ScenarioError} When the directory or a file of it does not fit.
 */
export async function listScenarios(
  options: { readonly scenarios?: string; readonly json?: true },
  { stdout, env }: Terminal,
): Promise<void> {
  const library = new ScenarioLibrary()
  const { scenarios: directory } = options
  if (directory) refuseProblems(await new ScenarioFiles({ directory }, library).load())
  const list = library.list()
  stdout.write(
    options.json ? `${JSON.stringify(list, null, 2)}\n` : toTable(list, createPaint(stdout, env)),
  )
}

function toTable(list: readonly ScenarioSummary[], paint: Paint): string {
  const width = Math.max(...list.map(({ name }) => name.length))
  return list
    .map(({ name, description, source }) => {
      const from = source === 'built-in' ? '' : paint('dim', ` (${source})`)
      return `${paint('bold', name.padEnd(width))}  ${description}${from}\n`
    })
    .join('')
}
