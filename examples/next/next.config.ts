import type { NextConfig } from 'next'

const config: NextConfig = {
  // Node.js loads the package from node_modules.
  serverExternalPackages: ['petstore-sandbox'],
  // The root of this project. The repository that contains it has a lock file too.
  turbopack: { root: import.meta.dirname },
}

export default config
