import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fillSnippets } from './snippets.js'

const root = new URL('../../', import.meta.url)
const docs = await readdir(new URL('docs', root), { recursive: true })
const pages = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((n) => `docs/${n}`)]

// To update a stale page: npx vitest run --config test/vitest.config.ts test/docs -u
test.each(pages)('%s shows the current content of each file', async (page) => {
  const text = await readFile(new URL(page, root), 'utf8')
  await expect(await fillSnippets(text)).toMatchFileSnapshot(`../../${page}`)
})

test.each(pages.filter((page) => page.startsWith('docs/recipes/')))(
  '%s shows every module that its files import',
  async (page) => {
    const text = await readFile(new URL(page, root), 'utf8')
    const fences = text.matchAll(/^<!-- snippet: ([^\s#]+).*\n```\w+\n([\s\S]*?)^```/gm)
    const snippets = [...fences].map(([, path = '', code = '']) => ({ path, code }))
    // Without their extension, which an import may omit or state as that of the compiled file.
    const toName = (path: string) => path.replace(/\.[jt]sx?$/, '')
    const shown = new Set(snippets.map(({ path }) => toName(path)))
    const missing = snippets.flatMap(({ path, code }) =>
      [...code.matchAll(/\b(?:from|import)\W{1,2}'(\.[^']+)'/g)]
        .map(([, imported = '']) => join(dirname(path), imported))
        .filter((imported) => !shown.has(toName(imported)))
        .map((imported) => `${path} imports ${imported}`),
    )
    expect(missing).toEqual([])
  },
)

describe('fillSnippets', () => {
  const marker = '<!-- snippet: examples/testing/sunset.test.ts -->'

  test('replaces the content of a fence with the file', async () => {
    const filled = await fillSnippets(`a\n\n${marker}\n\`\`\`ts\nold\n\`\`\`\n\nb\n`)
    const file = await readFile(new URL('examples/testing/sunset.test.ts', root), 'utf8')
    expect(filled).toBe(`a\n\n${marker}\n\`\`\`ts\n${file}\`\`\`\n\nb\n`)
  })

  test('inserts a region of a file without its indentation', async () => {
    const source = 'test/docs/snippets.test.ts#sample'
    const filled = await fillSnippets(`<!-- snippet: ${source} -->\n\`\`\`ts\n\`\`\`\n`)
    expect(filled).toBe(
      `<!-- snippet: ${source} -->\n\`\`\`ts\nconst indented = [\n  1,\n].length\n\`\`\`\n`,
    )
    // biome-ignore format: the region that the test above reads
    // #region sample
    const indented = [
      1,
    ].length
    // #endregion
    expect(indented).toBe(1)
  })

  test('does not change other fences or prose', async () => {
    const page = 'a\n\n```sh\nnpm ci\n```\n\n```\nplain\n```\n\nb\n'
    expect(await fillSnippets(page)).toBe(page)
  })

  test.each([
    [
      'a ts fence without a snippet comment',
      '```ts\nconst a = 1\n```\n',
      /"const a = 1" must follow a comment/,
    ],
    ['a missing file', '<!-- snippet: examples/none.ts -->\n```ts\n```\n', /ENOENT.*none\.ts/],
    [
      'a missing region',
      '<!-- snippet: test/docs/snippets.ts#none -->\n```ts\n```\n',
      /snippets\.ts must have the region none/,
    ],
  ])('rejects %s', async (_, page, message) => {
    await expect(fillSnippets(page)).rejects.toThrow(message)
  })
})
