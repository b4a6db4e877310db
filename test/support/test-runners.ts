import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The scripts of test runners, below the root of the repository. */
const scripts = {
  vitest: 'node_modules/vitest/vitest.mjs',
  Playwright: 'node_modules/@playwright/test/cli.js',
}

/** How a run of a test runner ended. */
interface Run {
  readonly code: number
  readonly stdout: string
  /** What it wrote to both streams. */
  readonly output: string
}

/** Runs a test runner in the root of the repository, as a user would. */
export function runTests(
  runner: keyof typeof scripts,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Run> {
  // The variables of this run must not affect the other.
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, VITEST_MODE, NODE_ENV, FORCE_COLOR, ...rest } =
    process.env
  const env = { ...rest, NO_COLOR: '1', CI: '', ...variables }
  return new Promise((resolve) => {
    execFile(process.execPath, [scripts[runner], ...args], { cwd: root, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, stdout: out, output: out + err }),
    )
  })
}
