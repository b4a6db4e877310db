import { join } from 'node:path'

export default {
  serverExternalPackages: ['msw-2', 'petstore-sandbox'],
  turbopack: { root: join(import.meta.dirname, '../..') },
}
