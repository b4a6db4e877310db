import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    setupFiles: 'test/setup.ts',
    // Starting Chromium and building the page take seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
