import { defineCommand } from '../command.js'
import { mcpOptions } from './options.js'

/** Serves tools for coding agents over stdin and stdout. */
export const createCommand = defineCommand({
  name: 'mcp',
  description: 'Serves tools for coding agents over stdin and stdout (MCP).',
  options: mcpOptions,
  notes: `Without --url, the command starts a sandbox of its own with a private world on the first use of a
tool, and stops it at the end. The variables PETSTORE_SANDBOX_URL and PETSTORE_SANDBOX_KEY have the same
effect as --url and --key. The tools return the base URL and key. Stdout carries only the protocol.
The tool verify exists only with --verify-url, and sends requests to no other URL.`,
  examples: [
    'mcp',
    'mcp --port 4010',
    'mcp --url http://127.0.0.1:4010 --key sbx_free_default_ci-7',
    'mcp --verify-url https://api.shop.example/v1',
  ],
  async run(values, terminal) {
    const { runMcp } = await import('./run.js')
    await runMcp(values, terminal)
  },
})
