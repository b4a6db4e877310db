import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { bin } from '../support/program.js'

/** What a tool has returned. */
export interface Called {
  readonly text: string
  readonly isError: boolean
  readonly data: Record<string, unknown>
}

/** An agent: the official client, connected to the built program over stdio. */
export interface Agent {
  readonly client: Client
  readonly transport: StdioClientTransport
  /** Calls a tool, and returns its text and its structured content. */
  call(name: string, args?: Record<string, unknown>): Promise<Called>
}

/** Starts `mcp` and connects to it until the test ends. */
export async function openAgent(
  args: readonly string[] = [],
  options: ClientOptions = {},
  env: Record<string, string> = {},
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    env,
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  onTestFinished(() => client.close())
  await client.connect(transport)
  return {
    client,
    transport,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args })
      const [block] = result.content
      const text = block?.type === 'text' ? block.text : ''
      const data = Object(result.structuredContent)
      return { text, isError: result.isError === true, data }
    },
  }
}

/** Formats a message as a line of the protocol. */
export function toLine(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
}

/** The first lines of a client without the library. */
export const opening = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    },
  },
  { method: 'notifications/initialized' },
]
  .map(toLine)
  .join('')
