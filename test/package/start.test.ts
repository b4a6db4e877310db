import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { start } from '../docs/shell.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const env = { npm_config_ignore_scripts: 'false' }

/** A copy of the repository without packages and without `dist`. */
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-clone-'))
  await cp(join(root, 'build'), join(folder, 'build'), { recursive: true })
  const scripts = { ...manifest.scripts, build: 'echo building' }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function link(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(folder, 'node_modules', name)
    await mkdir(dirname(path), { recursive: true })
    await symlink(join(root, 'node_modules', name), path)
  }
}

/** Returns the exit code and the output of `npm start -- --version`. */
async function startOnce(): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['start', '--silent', '--', '--version']
  const options = { cwd: folder, env: { ...process.env, ...env } }
  return promisify(execFile)('npm', command, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

describe('npm start without development dependencies', () => {
  beforeEach(() => link([...Object.keys(manifest.dependencies), 'msw']))

  test('serves the package that is built', async () => {
    await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
    const url = await start('npm start', { cwd: folder, env })
    const headers = { Authorization: 'Bearer sbx_free' }
    const responses = [await fetch(url), await fetch(`${url}/v1/inventory`, { headers })]
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
  })

  test('says in one line what to do if the package is not built', async () => {
    const { code, stdout, stderr } = await startOnce()
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr.replaceAll(/^npm warn .*\n/gm, '')).toBe(
      'petstore-sandbox is not built, and its development dependencies are not installed; ' +
        'run npm ci --include=dev\n',
    )
  })
})

test('npm start builds the package if the development dependencies are installed', async () => {
  await link(['vite', 'typescript', 'rolldown'])
  await cp(join(root, 'dist/cjs'), join(folder, 'dist/cjs'), { recursive: true })
  expect(await startOnce()).toMatchObject({ code: 0, stdout: 'building\n1.0.0\n' })
})
