import type { NextConfig } from 'next'

const config: NextConfig = {
  // Node.js loads both packages from node_modules, so that the server has each of them once.
  serverExternalPackages: ['msw', 'petstore-sandbox'],
  // The root of this project. The repository that contains it has a lock file too.
  turbopack: { root: import.meta.dirname },
}

export default config
