// Compares the built package with a release, request by request:
// npm run test:baseline -- petstore-sandbox-1.0.0.tgz
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '../..')
const [path, ...others] = process.argv.slice(2)
if (path === undefined || others.length > 0) {
  console.error('Usage: npm run test:baseline -- <tarball of a release>')
  process.exit(2)
}
const BASELINE_FOLDER = installOnce(resolve(process.env.INIT_CWD ?? '.', path))
const config = join(import.meta.dirname, 'vitest.config.ts')
run('npx', ['vitest', 'run', '--config', config], { ...process.env, BASELINE_FOLDER })

/** Installs a tarball into a folder of its own, unless it is installed. Returns the folder. */
function installOnce(tarball) {
  const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  const folder = join(tmpdir(), `petstore-baseline-${hash.slice(0, 16)}`)
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const msw = JSON.parse(readFileSync(join(root, 'node_modules/msw/package.json'), 'utf8'))
  const packages = [tarball, `msw@${msw.version}`]
  run('npm', ['install', '--prefix', folder, ...options, ...packages], process.env)
  return folder
}

/** Runs a program, and ends with its exit code if it fails. */
function run(program, args, env) {
  const { status } = spawnSync(program, args, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
