import { Command } from 'commander'
import { addOptions, toExamples } from '../options.js'
import { serveOptions } from '../serve/options.js'
import type { Terminal } from '../terminal.js'

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
  return addOptions(command, serveOptions).action(async () => {
    const { runServe } = await import('../serve/run.js')
    await runServe(command, terminal)
  })
}
