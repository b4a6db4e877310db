import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findChromium } from './support/chromium.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const config = 'examples/playwright/playwright.config.ts'

test.each([
  { folder: 'test/browser/playwright', passed: 6 },
  { folder: 'examples/playwright', passed: 2 },
])(
  'the tests of $folder pass with the entry point playwright',
  async ({ folder, passed }) => {
    const { code, output } = await runPlaywright(folder)
    expect(output).toContain(`${passed} passed`)
    expect(code).toBe(0)
  },
  120_000,
)

/** Runs Playwright's test runner on a folder, as a user would. */
function runPlaywright(folder: string): Promise<{ code: number; output: string }> {
  const cli = `${root}node_modules/@playwright/test/cli.js`
  const args = [cli, 'test', '--config', config, `${root}${folder}/`]
  const env = { ...process.env, CHROMIUM_PATH: findChromium() }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: stdout + stderr })
    })
  })
}
