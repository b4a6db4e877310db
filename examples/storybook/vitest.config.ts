import { defineConfig } from 'vitest/config'

// A build of Storybook takes ten seconds, and longer on a busy machine.
export default defineConfig({ test: { testTimeout: 300_000, hookTimeout: 300_000 } })
