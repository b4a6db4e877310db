import { fileURLToPath } from 'node:url'

/** Resolves @mswjs/data to the bundle that the package contains. `npm run build` creates it. */
export const bundledData = {
  '@mswjs/data': fileURLToPath(new URL('../../dist/mswjs-data.js', import.meta.url)),
}
