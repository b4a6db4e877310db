import { controlOperations } from '../../control/operations.js'
import { ScenarioFiles } from '../../world/scenario/files.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { defineCommand } from '../command.js'
import { flag, scenariosOption } from '../options.js'
import { toJson, toResultText } from '../render.js'
import { createPaint } from '../terminal.js'

/** Lists the known scenarios. */
export const createCommand = defineCommand({
  name: 'scenarios',
  description: 'Lists the scenarios that --scenario and API keys can name.',
  options: {
    directory: scenariosOption('Directory of additional scenario files.'),
    json: flag('--json', 'Prints a JSON array of {name, description, source}.'),
  },
  examples: [
    'scenarios',
    'scenarios --scenarios ./scenarios',
    "scenarios --json | jq -r '.[].name'",
  ],
  async run({ directory, json }, { stdout, env }) {
    const files = new ScenarioFiles(new ScenarioLibrary(), directory)
    await files.load()
    // The source of a scenario is the path of its file, or `built-in`.
    const list = files.library.list().map((summary) => ({
      ...summary,
      source: files.library.fileOf(summary.name) ?? summary.source,
    }))
    const { columns } = controlOperations.listScenarios
    const toText = () => toResultText(list, 'scenarios', createPaint(stdout, env), columns)
    stdout.write(json ? toJson(list) : toText())
  },
})
