import { Command, type Option } from 'commander'
import { EnvOption } from '../env-option.js'
import type { Terminal } from '../terminal.js'

const examples = `
Examples:
  petstore-sandbox serve
  petstore-sandbox serve --port 0 --log json
  petstore-sandbox serve --scenario low-stock,sunset-soon
  petstore-sandbox serve --scenarios ./scenarios --scenario my-shop --watch
  petstore-sandbox serve --scenario ./my-shop.json --watch
  petstore-sandbox serve --handlers ./payment-handlers.js --host 0.0.0.0`

/** `serve`: the sandbox over HTTP, until a signal stops it. */
export function defineServe(terminal: Terminal): Command {
  const command = new Command('serve')
    .description('Serve the sandbox over HTTP; this is what runs when no command is named.')
    .addHelpText('after', examples)
  for (const option of createOptions()) command.addOption(option)
  return command.action(async () => {
    const { runServe } = await import('../serve/run-serve.js')
    await runServe(command, terminal)
  })
}

function createOptions(): Option[] {
  return [
    new EnvOption('-p, --port <number>', '0 takes any that is free', 'PORT').default('4010'),
    new EnvOption('--host <address>', '0.0.0.0 lets other machines in').default('127.0.0.1'),
    new EnvOption(
      '-s, --scenario <name>',
      'what it starts from, a name or a .json file; several, with commas or given again, are merged; without any, default',
    ).argParser(collect),
    new EnvOption('--scenarios <dir>', 'scenario files to know by name beside the built-in ones'),
    new EnvOption('--watch', 'read the scenario files again when they change'),
    new EnvOption('--handlers <file>', 'an ES module that exports msw request handlers to add'),
    new EnvOption('--max-worlds <number>', 'past it the longest idle world leaves').default('256'),
    new EnvOption('--log <style>', 'a line for each call: pretty, json or silent').default(
      'pretty',
    ),
  ]
}

/** `-s a -s b` as `a,b`, the form that the variable has too. */
function collect(value: string, others: string | undefined): string {
  return others === undefined ? value : `${others},${value}`
}
