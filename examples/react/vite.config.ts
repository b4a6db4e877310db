import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig(({ mode }) => ({
  plugins: [react(), mode === 'production' && omitWorkerScript()],
}))

/** Removes msw's worker script from a production build: Vite copies everything in `public`. */
function omitWorkerScript(): Plugin {
  return {
    name: 'omit-worker-script',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      await rm(join(dir, 'mockServiceWorker.js'), { force: true })
    },
  }
}
