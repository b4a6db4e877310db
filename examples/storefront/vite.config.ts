import { defineConfig, loadEnv } from 'vite'

const root = import.meta.dirname
const built = `${root}/../../dist/esm`

export default defineConfig(({ mode }) => {
  const target = loadEnv(mode, root).VITE_SANDBOX_URL
  // Only pages of the same origin may control a sandbox over HTTP.
  const proxy = target && {
    '/petstore': { target, rewrite: (path: string) => path.slice('/petstore'.length) },
  }
  return {
    root,
    ...(proxy && { server: { proxy }, preview: { proxy } }),
    resolve: {
      // Resolves the package to the build of this repository. An application does not need this.
      alias: [{ find: /^petstore-sandbox\/(\w+)$/, replacement: `${built}/$1.js` }],
    },
  }
})
