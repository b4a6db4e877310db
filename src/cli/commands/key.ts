import { Command, Option } from 'commander'
import { parseApiKey } from '../../contract/api-key.js'
import { planIds } from '../../contract/plans.js'
import { platform } from '../../sandbox/platform.js'
import { CliError } from '../cli-error.js'
import type { Terminal } from '../terminal.js'

const examples = `
Nothing is stored: a sandbox makes the world when the key is first used.

Examples:
  petstore-sandbox key
  API_KEY="$(petstore-sandbox key --plan pro --scenario low-stock)"`

/** `key`: prints a new API key, and so a world that nobody else can reach. */
export function defineKey(terminal: Terminal): Command {
  return new Command('key')
    .description('Print a fresh API key: a world of its own, with a label that nobody can guess.')
    .addOption(new Option('--plan <plan>', 'its rate limits').choices(planIds).default('free'))
    .option('--scenario <name>', 'the scenario that its world starts from', 'default')
    .addHelpText('after', examples)
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
