import { defineConfig } from 'vitest/config'

const report = { html: 'report.html', junit: 'report.xml', failOn: 'error' }

export default defineConfig({
  test: {
    reporters: ['default', ['petstore-sandbox/vitest-reporter', report]],
  },
})
