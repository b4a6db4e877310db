import { createSandboxServer } from 'petstore-sandbox/server'

/** Starts a sandbox for the examples in this directory. */
export async function startServer() {
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0 })
  return { url, close: () => server.close() }
}
