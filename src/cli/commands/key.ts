import { Command, Option } from 'commander'
import { parseApiKey } from '../../contract/api-key.js'
import { planIds } from '../../contract/plans.js'
import { platform } from '../../sandbox/platform.js'
import { CliError } from '../failure.js'
import { toExamples } from '../options.js'
import type { Terminal } from '../terminal.js'

const notes = `
The key is not stored. A sandbox creates its world on the first request with the key.
`

/** Defines `key`, which prints a new API key for a private world. */
export function defineKey(terminal: Terminal): Command {
  return new Command('key')
    .description('Prints a new API key with a random label, for a private world.')
    .addOption(new Option('--plan <plan>', 'Plan of the key.').choices(planIds).default('free'))
    .option('--scenario <name>', 'Scenario that the world starts from.', 'default')
    .addHelpText('after', notes + toExamples(['key', 'key --plan pro --scenario low-stock']))
    .action(({ plan, scenario }: { plan: string; scenario: string }) => {
      terminal.stdout.write(`${createKey(plan, scenario)}\n`)
    })
}

function createKey(plan: string, scenario: string): string {
  const key = `sbx_${plan}_${scenario}_${platform.randomLabel()}`
  if (parseApiKey(key)?.scenario === scenario) return key
  const found = JSON.stringify(scenario)
  throw new CliError(
    `--scenario must be the name of a scenario, found ${found}; petstore-sandbox scenarios lists them`,
  )
}
