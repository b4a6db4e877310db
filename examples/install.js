// Installs the packages of a project in this folder, and this package from its tarball, as a user gets
// it: node examples/install.js examples/react. The package must be built. Further packages, such as
// msw@3, take the place of those in the lock file. With --locked-only, installs only the lock file.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', ...others] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const lockFile = join(folder, 'package-lock.json')
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

if (!existsSync(lockFile)) throw new Error(`a project must have ${lockFile}, found none`)
if (!isCurrent()) runNpm(['ci', ...options], folder)
if (!others.includes('--locked-only')) installTarball(others)

function installTarball(packages) {
  runNpm(['pack', '--silent', '--ignore-scripts', '--pack-destination', 'dist'], root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const tarball = join(root, `dist/petstore-sandbox-${version}.tgz`)
  runNpm(['install', '--no-save', ...options, tarball, ...packages], folder)
}

/** Whether the installed packages are newer than the lock file. */
function isCurrent() {
  const installed = join(folder, 'node_modules/.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs > statSync(lockFile).mtimeMs
}

function runNpm(args, cwd) {
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}`)
}
