import { Command, type Option } from 'commander'
import { EnvOption, SecretOption, toExamples } from '../options.js'
import type { Terminal } from '../terminal.js'
import { createLimitOptions } from './serve-limits.js'

/** Defines `serve`, which serves the sandbox over HTTP until SIGINT or SIGTERM. */
export function defineServe(terminal: Terminal): Command {
  const command = new Command('serve')
    .description('Serves the sandbox over HTTP. This is the default command.')
    .addHelpText(
      'after',
      toExamples([
        'serve',
        'serve --port 0 --log json',
        'serve --scenario low-stock,sunset-soon',
        'serve --scenarios ./scenarios --scenario my-shop --watch',
        'serve --scenario ./my-shop.json --watch',
        'serve --data ./worlds',
        'serve --redis redis://127.0.0.1:6379',
        'serve --handlers ./payment-handlers.js',
        'serve --host 0.0.0.0 --key-secret "$KEY_SECRET"',
        'serve --host 0.0.0.0 --trust-proxy 1 --max-memory 1GiB',
        'serve --public-url https://sandbox.example/petstore',
      ]),
    )
  for (const option of createOptions()) command.addOption(option)
  return command.action(async () => {
    const { runServe } = await import('../serve/run.js')
    await runServe(command, terminal)
  })
}

function createOptions(): Option[] {
  return [
    new EnvOption('-p, --port <number>', 'Port to listen on. 0: any free port.', 'PORT').default(
      '4010',
    ),
    new EnvOption(
      '--host <address>',
      'Address to listen on. 0.0.0.0: accept requests from other machines.',
    ).default('127.0.0.1'),
    new EnvOption(
      '--allowed-hosts <hosts>',
      'Host names that requests may name, separated by commas; .shop.example includes all names below it. true: all. Default: only names of this machine, or all if --host is not a loopback address.',
    ),
    new EnvOption(
      '--public-url <url>',
      'URL at which clients reach the server, for example through a proxy. Its host is allowed. The OpenAPI documents, the Link headers and the start-up output contain it. Default: the URL that trusted proxies forward, or the host of the request.',
    ),
    new EnvOption(
      '-s, --scenario <name>',
      'Initial scenario: a name or a .json file. Several are merged, separated by commas or in repeated options. Default: default.',
    ).argParser(appendValue),
    new EnvOption('--scenarios <dir>', 'Directory of scenario files, added to the built-in ones.'),
    new EnvOption('--watch', 'Reloads the scenario files when they change.'),
    ...createStoreOptions(),
    new EnvOption('--handlers <file>', 'ES module that exports additional msw request handlers.'),
    new EnvOption(
      '--journal-header <name>',
      'Request header that the journals of shared worlds retain in addition. Several are separated by commas or in repeated options.',
    ).argParser(appendValue),
    ...createLogOptions(),
    new EnvOption(
      '--notice <seconds>',
      'Time after SIGTERM for which requests are still served while /readyz responds with 503, so that a load balancer stops sending them. Default: 5, or 0 if the output is a terminal.',
    ),
    ...createAccessOptions(),
    ...createLimitOptions(),
  ]
}

function createLogOptions(): Option[] {
  return [
    new EnvOption('--log <style>', 'Style of the request log: pretty, json or silent.').default(
      'pretty',
    ),
    new EnvOption(
      '--log-clients',
      'Adds the address of the client, and the plan and label of its key, to the request log.',
    ),
  ]
}

function createStoreOptions(): Option[] {
  return [
    new EnvOption(
      '--data <dir>',
      'Directory that keeps the worlds, so that they outlive the process. Needs the package classic-level. Default: worlds are kept in memory only.',
    ),
    new EnvOption(
      '--data-sync',
      'Waits for the disk before each response, so that also a power failure loses no request.',
    ),
    new EnvOption(
      '--redis <url>',
      'Redis server that keeps the worlds, and that several servers can share. Needs the package @redis/client.',
    ),
    new EnvOption(
      '--keep <time>',
      'Time after which unused worlds are removed from the directory or from Redis, in h or d. Default: 30d.',
    ),
  ]
}

function createAccessOptions(): Option[] {
  return [
    new SecretOption(
      '--key-secret <secret>',
      'Secret of at least 16 characters that signs keys. Only signed keys create worlds. A previous secret may follow, separated by a comma.',
    ),
    new EnvOption(
      '--key-issuing <who>',
      'Who may create keys with POST /sandbox/keys: open (everyone), off (nobody), or a token that clients send as Sandbox-Token. Default: open, or off with --key-secret.',
    ),
    new EnvOption(
      '--control <who>',
      'Who may control a world: own (clients with its key), off (nobody), or a token that these clients also send as Sandbox-Token.',
    ).default('own'),
  ]
}

/** Joins repeated options with commas, the form that the environment variable has. */
function appendValue(value: string, others: string | undefined): string {
  return others === undefined ? value : `${others},${value}`
}
