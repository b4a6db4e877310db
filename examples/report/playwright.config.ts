import { defineConfig } from '@playwright/test'

const report = { html: 'report.html', junit: 'report.xml', minCoverage: 30 }

export default defineConfig({
  reporter: [['list'], ['petstore-sandbox/playwright-reporter', report]],
})
