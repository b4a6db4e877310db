import { join } from 'node:path'
import { test } from 'vitest'
import { run } from './run.js'

const root = join(import.meta.dirname, '../..')

// Each project is installed from its lock file, with this package from its tarball, as a user gets it.
test.each(['react', 'jest', 'vitest-browser', 'playwright', 'storybook', 'next'])(
  'the tests of examples/%s pass',
  async (name) => {
    const folder = join(root, 'examples', name)
    await run([process.execPath, join(root, 'examples/install.js'), folder], root)
    await run(['npm', 'test'], folder)
  },
)
