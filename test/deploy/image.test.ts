import { once } from 'node:events'
import { access, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../support/server.js'
import { buildImage, type Image, readDockerfile, toLocalPath } from './support/dockerfile.js'
import { createDirectory, runFile, startSandbox } from './support/programs.js'

let image: Image
beforeAll(async () => {
  const { path, remove } = await createDirectory()
  image = await buildImage(path)
  return remove
})

/** An id of a user without rights; undefined if the tests may not change the user. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined

/** Replaces absolute paths of the image by those on this machine. */
const toLocalWords = (words: readonly string[]) =>
  words.map((word) => (word.startsWith('/') ? toLocalPath(image, word) : word))

/** Runs the health check of a container whose server has these variables and arguments. */
async function checkHealth(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<void> {
  const { path, remove } = await createDirectory()
  onTestFinished(remove)
  const commandLine = join(path, 'cmdline')
  const words = [...image.command, ...args]
  await writeFile(commandLine, words.map((word) => `${word}\0`).join(''))
  const [program = '', ...rest] = toLocalWords(image.healthCheck)
  await runFile(program, [...rest, commandLine], { env: { ...process.env, ...env } })
}

describe('the image', () => {
  test('starts as another user than root, and its health check passes', async () => {
    expect(image.user).toBe('node')
    const port = String(await findFreePort())
    const env = { ...image.env, PORT: port }
    const cwd = toLocalPath(image, '.')
    const { urls } = await startSandbox({ command: toLocalWords(image.command), cwd, env, uid })
    const headers = { Authorization: 'Bearer sbx_free' }
    const url = (path: string) => `http://127.0.0.1:${port}${path}`
    expect((await fetch(url('/v1/inventory'), { headers })).status).toBe(200)
    expect(await (await fetch(url('/'))).text()).toContain('<script type="module"')
    expect((await fetch(url('/metrics'))).status).toBe(200)
    for (const path of ['/llms.txt', '/docs/testing.md', '/skills/petstore-sandbox/SKILL.md']) {
      expect((await fetch(url(path))).status, path).toBe(200)
    }
    expect(urls.api).toBe(`http://localhost:${port}/v1`)
    await checkHealth({ PORT: port })
    await expect(checkHealth({ PORT: '1' })).rejects.toMatchObject({ code: 1 })
  })

  test('has a health check that follows the port of the server', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    await checkHealth({ PETSTORE_SANDBOX_PORT: port, PORT: '1' })
    await checkHealth({ PETSTORE_SANDBOX_PORT: '', PORT: port })
    const lines = [
      ['--port', port],
      [`--port=${port}`],
      ['-p', port, '--log', 'json'],
      [`-p${port}`],
      ['--port', '1', '--port', port],
    ]
    for (const words of lines) {
      await checkHealth({ PORT: '1', PETSTORE_SANDBOX_PORT: '1' }, words)
    }
    const wrong = checkHealth({ PORT: port }, ['--port', '1'])
    await expect(wrong).rejects.toMatchObject({ code: 1 })
  })

  test('listens on all addresses, and on the exposed port', async () => {
    expect(image.env.PETSTORE_SANDBOX_HOST).toBe('0.0.0.0')
    const instructions = await readDockerfile()
    expect(instructions).toContainEqual({ name: 'EXPOSE', rest: '4010' })
  })

  test('contains production dependencies and the optional packages only', async () => {
    const packages = await readdir(toLocalPath(image, '/app/node_modules'))
    expect(packages).toEqual(expect.arrayContaining(['express', 'prom-client', 'classic-level']))
    await access(toLocalPath(image, '/app/node_modules/@redis/client/package.json'))
    for (const tool of ['vite', 'vitest', 'typescript', '@biomejs', 'playwright-core']) {
      expect(packages).not.toContain(tool)
    }
    expect(await readdir(toLocalPath(image, '/app'))).toEqual([
      'CHANGELOG.md',
      'README.md',
      'SECURITY.md',
      'dist',
      'docs',
      'health-check.js',
      'llms.txt',
      'node_modules',
      'package.json',
      'scenarios',
      'skills',
    ])
  })
})
