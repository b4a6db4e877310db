import { petstoreSandbox } from 'petstore-sandbox/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [petstoreSandbox({ scenario: 'low-stock', panel: true })],
})
