import { Command, Option } from 'commander'
import { environments } from '../../contract/addresses.js'
import { EnvOption, readEnvironment } from '../env-option.js'
import type { Terminal } from '../terminal.js'
import { defineRow, toExamples } from '../world/command-row.js'
import { worldRows } from '../world/commands.js'
import { createRunner } from '../world/runner.js'

const examples = toExamples([
  'world',
  'world use low-stock',
  'world clock advance PT90S',
  'world quota one-left',
  'world faults add type=status status=503 times=2',
  'world requests --status 429 --explain',
  'world snapshot --output seen.json',
  'world show --url http://127.0.0.1:4011 --key sbx_pro_default_ci-7',
])

/** `world`: shows and steers the world that a key reaches in a sandbox that runs. */
export function defineWorld(terminal: Terminal): Command {
  const world = new Command('world')
    .description('Show and steer the world of a key, in a sandbox that runs.')
    .addOption(
      new EnvOption('--url <url>', 'the root of the sandbox').default('http://127.0.0.1:4010'),
    )
    .addOption(
      new EnvOption('--key <key>', 'the API key, which names the world').default('sbx_free'),
    )
    .addOption(
      new Option('--environment <name>', 'the deployment that the world belongs to')
        .choices(environments)
        .default('production'),
    )
    .option('--json', 'what the sandbox answers, as JSON')
    .addHelpText('after', examples)
    .hook('preAction', () => readEnvironment(world, terminal.env))
  // The options above may stand behind the commands below, so their help shows them as well.
  const help = { showGlobalOptions: true, visibleGlobalOptions: () => [...world.options] }
  const runner = createRunner(world, terminal)
  for (const [index, row] of worldRows.entries()) {
    const command = defineRow(row, runner).configureHelp(help)
    world.addCommand(command, { isDefault: index === 0 })
  }
  return world
}
