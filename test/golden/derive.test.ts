import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const directories = ['.ci', 'bench', 'build', 'deploy', 'examples', 'lint', 'scripts']

/** How a script would write golden files, or have them written. */
const writing = 'golden/(accept|files)|run golden\\b|--accept\\b'

test('accept.js alone writes golden files: no other script and no check does', async () => {
  const search = ['grep', '-lE', '-e', writing, '--', ...directories]
  const { status, stdout } = spawnSync('git', search, { cwd: root, encoding: 'utf8' })
  expect([status, stdout], 'no script contains it').toEqual([1, ''])
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const running = Object.entries<string>(scripts).filter(([, line]) => line.match(writing))
  expect(running.map(([name]) => name)).toEqual(['golden'])
})
