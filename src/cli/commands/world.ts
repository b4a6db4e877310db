import { Command, Option } from 'commander'
import { environments } from '../../service/addresses.js'
import { EnvOption, readEnvironment, toExamples } from '../options.js'
import type { Terminal } from '../terminal.js'

/** Defines `world`, which controls the world of a key in a running sandbox. */
export function defineWorld(terminal: Terminal): Command {
  const world = new Command('world')
    .description('Shows and controls the world of a key in a running sandbox.')
    .addOption(
      new EnvOption('--url <url>', 'Root URL of the sandbox.').default('http://127.0.0.1:4010'),
    )
    .addOption(new EnvOption('--key <key>', 'API key, which names the world.').default('sbx_free'))
    .addOption(
      new EnvOption('--token <token>', 'Token that the sandbox requires, sent as Sandbox-Token.'),
    )
    .addOption(
      new Option('--environment <name>', 'Environment of the world.')
        .choices(environments)
        .default('production'),
    )
    .option('--json', 'Prints the response of the sandbox as JSON.')
    .addHelpText(
      'after',
      toExamples([
        'world',
        'world use low-stock',
        'world clock advance PT90S',
        'world quota one-left',
        'world faults add type=status status=503 atMost=2',
        'world requests --status 429 --explain',
        'world snapshot --output seen.json',
        'world report --format html --output report.html',
        'world show --url http://127.0.0.1:4011 --key sbx_pro_default_ci-7',
      ]),
    )
  return world.hook('preAction', () => readEnvironment(world, terminal.env))
}

/** Adds the subcommands of `world`. The first one is the default. */
export async function addWorldCommands(world: Command, terminal: Terminal): Promise<void> {
  const { worldCommands } = await import('../world/commands.js')
  const { createCommand } = await import('../world/command.js')
  // Subcommands accept the options of `world` as well, so their help lists them.
  const help = { showGlobalOptions: true, visibleGlobalOptions: () => [...world.options] }
  for (const [index, entry] of worldCommands.entries()) {
    const command = createCommand(entry, world, terminal).configureHelp(help)
    world.addCommand(command, { isDefault: index === 0 })
  }
}
