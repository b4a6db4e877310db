import { access, readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildImage, type Image, readDockerfile, toLocalPath } from './support/dockerfile.js'
import { createDirectory, findFreePort, runFile, startSandbox } from './support/programs.js'

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
    expect(urls.api).toBe(`http://localhost:${port}/v1`)
    const [program = '', ...args] = image.healthCheck
    await runFile(program, args, { env: { ...process.env, PORT: port } })
    const unreachable = { ...process.env, PORT: '1' }
    await expect(runFile(program, args, { env: unreachable })).rejects.toMatchObject({ code: 1 })
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
      'dist',
      'node_modules',
      'package.json',
      'scenarios',
    ])
  })
})
