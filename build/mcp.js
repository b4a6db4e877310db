// The part of @modelcontextprotocol/server that the package uses: a server of tools over stdio.

const entry = `export { McpServer } from '@modelcontextprotocol/server'
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'`

/** Replaces ajv, which validates what clients enter in forms. No tool asks for that. */
const shims = `export { default as process } from 'node:process'
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('there is no validator') }
}`

const shimsId = '@modelcontextprotocol/server/_shims'

/** Entry of the bundle. */
export const mcpEntry = '\0mcp:entry'

/** Creates a plugin that leaves out ajv. The build fails if the library does not import it. */
export function reduceMcp() {
  let isUsed = false
  return {
    name: 'reduce-mcp',
    resolveId(source) {
      if (source === shimsId) isUsed = true
      return source === mcpEntry || source === shimsId ? `\0mcp:${source}` : undefined
    },
    load(id) {
      if (id === `\0mcp:${mcpEntry}`) return entry
      return id === `\0mcp:${shimsId}` ? shims : undefined
    },
    buildEnd(error) {
      if (!error && !isUsed)
        throw new Error(`build/mcp.js replaces ${shimsId}, which is not imported`)
    },
  }
}
