import { createSandboxMiddleware } from 'petstore-sandbox/server'
import type { Plugin } from 'vite'

export function petstore(): Plugin {
  return {
    name: 'petstore',
    async configureServer({ middlewares, httpServer }) {
      const sandbox = await createSandboxMiddleware()
      middlewares.use('/petstore', sandbox)
      httpServer?.once('close', () => void sandbox.close())
    },
  }
}
