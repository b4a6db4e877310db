import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { fillSnippets } from './snippets.js'

const root = new URL('../../', import.meta.url)
const docs = await readdir(new URL('docs', root))
const pages = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((n) => `docs/${n}`)]

// A page that has fallen behind is written anew by: npx vitest run test/readme -u
test.each(pages)('%s shows the files as they are', async (page) => {
  const text = await readFile(new URL(page, root), 'utf8')
  await expect(await fillSnippets(text)).toMatchFileSnapshot(`../../${page}`)
})

describe('fillSnippets', () => {
  const marker = '<!-- snippet: examples/testing/sunset.test.ts -->'

  test('puts the file in the place of what stood there', async () => {
    const filled = await fillSnippets(`a\n\n${marker}\n\`\`\`ts\nold\n\`\`\`\n\nb\n`)
    const file = await readFile(new URL('examples/testing/sunset.test.ts', root), 'utf8')
    expect(filled).toBe(`a\n\n${marker}\n\`\`\`ts\n${file}\`\`\`\n\nb\n`)
  })

  test('puts a region of the file there, without its indent', async () => {
    const source = 'test/readme/snippets.test.ts#sample'
    const filled = await fillSnippets(`<!-- snippet: ${source} -->\n\`\`\`ts\n\`\`\`\n`)
    expect(filled).toBe(
      `<!-- snippet: ${source} -->\n\`\`\`ts\nconst indented = [\n  1,\n].length\n\`\`\`\n`,
    )
    // biome-ignore format: the region that is read above
    // #region sample
    const indented = [
      1,
    ].length
    // #endregion
    expect(indented).toBe(1)
  })

  test('leaves every other fence and text as it is', async () => {
    const page = 'a\n\n```sh\nnpm ci\n```\n\n```\nplain\n```\n\nb\n'
    expect(await fillSnippets(page)).toBe(page)
  })

  test.each([
    [
      'a ts fence that names no file',
      '```ts\nconst a = 1\n```\n',
      /"const a = 1" must stand below/,
    ],
    [
      'a file that is missing',
      '<!-- snippet: examples/none.ts -->\n```ts\n```\n',
      /ENOENT.*none\.ts/,
    ],
    [
      'a region that is missing',
      '<!-- snippet: test/readme/snippets.ts#none -->\n```ts\n```\n',
      /snippets\.ts must have the region none/,
    ],
  ])('refuses %s', async (_, page, message) => {
    await expect(fillSnippets(page)).rejects.toThrow(message)
  })
})
