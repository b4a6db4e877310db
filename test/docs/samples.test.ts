import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { describeReceived } from '../../src/world/journal/requests.js'
import { readPages } from './pages.js'

const pages = await readPages(new URL('../../', import.meta.url))

/** Returns the blocks of a page in a language. */
function readBlocks(page: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...(pages.get(page) ?? '').matchAll(fence)].map(([, block = '']) => block)
}

test('the control request in docs/front-end.md moves the clock', async () => {
  const sandbox = await createSandbox()
  const server = setupServer(...sandbox.handlers)
  server.listen()
  onTestFinished(() => server.close())
  sandbox.world.clock.freeze('2026-01-01T00:00:00Z')

  const blocks = readBlocks('docs/front-end.md', 'js')
  expect(blocks).toHaveLength(1)
  await new Function(`return (async () => { ${blocks[0]} })()`)()

  expect(new Date(sandbox.world.clock.now()).toISOString()).toBe('2026-01-01T00:01:00.000Z')
})

test('the failure in docs/testing.md shows what a failed test prints', async () => {
  const sandbox = await createSandbox()
  const key = 'sbx_free_default_lists-the-inventory'
  const world = await sandbox.worldFor(key)
  await sandbox.fetch('https://api.petstore.example/v1/inventry', {
    headers: { Authorization: `Bearer ${key}` },
  })

  const page = pages.get('docs/testing.md') ?? ''
  const [failure = '', ...others] = readBlocks('docs/testing.md', 'text')
  expect(others).toEqual([])
  const printed = `AssertionError: expected 404 to be 200\n\n${describeReceived(world.journal)}\n`
  // To update a stale page: npx vitest run --config test/vitest.config.ts test/docs -u
  await expect(page.replace(failure, () => printed)).toMatchFileSnapshot('../../docs/testing.md')
})
