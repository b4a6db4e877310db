import { readFileSync } from 'node:fs'

/** Test runners, with the oldest version that their entry point supports. */
const runners = {
  vitest: { entryPoint: 'petstore-sandbox/vitest', major: 4, minor: 1 },
  '@playwright/test': { entryPoint: 'petstore-sandbox/playwright', major: 1, minor: 50 },
} as const

/**
 * Checks the installed version of a test runner. package.json states no version, because npm would
 * refuse to install the package beside an older runner that the project uses without it.
 *
 * @throws {Error} If the version is too old. A version that cannot be determined is accepted.
 */
export function checkRunnerVersion(runner: keyof typeof runners): void {
  const { entryPoint, major, minor } = runners[runner]
  const found = findVersion(runner)
  if (found === undefined) return
  const [foundMajor = NaN, foundMinor = NaN] = found.split('.').map(Number)
  if (!(foundMajor < major || (foundMajor === major && foundMinor < minor))) return
  throw new Error(
    `${entryPoint} requires ${runner} ${major}.${minor} or newer, found ${found}; ` +
      `run npm install --save-dev ${runner}@${major}`,
  )
}

function findVersion(name: string): string | undefined {
  try {
    const file = new URL(import.meta.resolve(`${name}/package.json`))
    const { version }: { version?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
