// Prepares `npm start`: builds the package if its development dependencies are installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const { resolve } = createRequire(import.meta.url)

/** Packages that the build starts. npm installs or omits the development dependencies together. */
const tools = ['vite', 'typescript', 'rolldown']

if (tools.every(isInstalled)) {
  const { status } = spawnSync('npm run --silent build', {
    cwd: root,
    shell: true,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} else if (!existsSync(`${root}dist/cjs/cli.js`)) {
  console.error(
    'petstore-sandbox is not built, and its development dependencies are not installed; ' +
      'run npm ci --include=dev',
  )
  process.exitCode = 1
}

function isInstalled(name) {
  try {
    resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
