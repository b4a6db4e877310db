import { defineCommand } from '../command.js'
import { readKeySecrets, serveOptions } from './options.js'

/** Serves the sandbox over HTTP until SIGINT or SIGTERM. */
export const createCommand = defineCommand({
  name: 'serve',
  description: 'Serves the sandbox over HTTP. This is the default command.',
  options: serveOptions,
  examples: [
    'serve',
    'serve --port 0 --log json',
    'serve --scenario low-stock,sunset-soon',
    'serve --scenarios ./scenarios --scenario my-shop --watch',
    'serve --scenario ./my-shop.json --watch',
    'serve --data ./worlds',
    'serve --redis redis://127.0.0.1:6379',
    'serve --handlers ./payment-handlers.js',
    'serve --host 0.0.0.0 --key-secret "$KEY_SECRET"',
    'serve --host 0.0.0.0 --key-secret-file /run/secrets/key-secret',
    'serve --host 0.0.0.0 --trust-proxy 1 --max-memory 1GiB',
    'serve --public-url https://sandbox.example/petstore',
  ],
  async run(values, terminal) {
    const { runServe } = await import('./run.js')
    await runServe({ ...values, keySecrets: readKeySecrets(values) }, terminal)
  },
})
