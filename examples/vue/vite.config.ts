import vue from '@vitejs/plugin-vue'
import { petstoreSandbox } from 'petstore-sandbox/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue(), petstoreSandbox({ panel: true })],
  test: {
    environment: 'jsdom',
    setupFiles: 'test/setup.ts',
    // Starting Chromium and building the page take seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
