// Prepares `npm start`: builds the package if its development dependencies are installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// npm installs or omits the development dependencies together.
if (existsSync('node_modules/rolldown')) {
  const { status } = spawnSync('npm run --silent build', { shell: true, stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!existsSync('dist/cjs/cli.js')) {
  console.error(
    'petstore-sandbox is not built, and its development dependencies are not installed; ' +
      'run npm ci --include=dev',
  )
  process.exitCode = 1
}
