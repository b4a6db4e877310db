import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fillSnippets } from './snippets.js'

const root = new URL('../../', import.meta.url)
const docs = await readdir(new URL('docs', root), { recursive: true })
const pages = [
  'README.md',
  'skills/petstore-sandbox/SKILL.md',
  ...docs.filter((name) => name.endsWith('.md')).map((n) => `docs/${n}`),
]

// To update a stale page: npx vitest run --config test/vitest.config.ts test/docs -u
test.each(pages)('%s shows the current content of each file', async (page) => {
  const text = await readFile(new URL(page, root), 'utf8')
  await expect(await fillSnippets(text)).toMatchFileSnapshot(`../../${page}`)
})

/** `npm run derive` writes them, from many entries. */
const references = ['docs/fidelity.md', 'docs/javascript-api.md', 'docs/reference.md']

test.each(pages.filter((page) => !references.includes(page)))('%s is short', async (page) => {
  const lines = (await readFile(new URL(page, root), 'utf8')).split('\n').length - 1
  expect(lines).toBeLessThanOrEqual(page === 'README.md' ? 180 : 200)
})

const recipes = pages.filter((page) => page.startsWith('docs/recipes/'))
/** Whether a page belongs to a recipe: `react-page.md` to `react.md`. */
const isPartOf = (page: string, recipe: string) => page.startsWith(recipe.replace('.md', '-'))

test.each(recipes.filter((page) => !recipes.some((recipe) => isPartOf(page, recipe))))(
  '%s and its further pages show every module that their files import',
  async (recipe) => {
    const parts = recipes.filter((page) => page === recipe || isPartOf(page, recipe))
    const texts = await Promise.all(parts.map((page) => readFile(new URL(page, root), 'utf8')))
    const text = texts.join('\n')
    const fences = text.matchAll(/^<!-- snippet: ([^\s#]+).*\n```\w+\n([\s\S]*?)^```/gm)
    const snippets = [...fences].map(([, path = '', code = '']) => ({ path, code }))
    // Without their extension: an import may omit it, or state the extension of the compiled file.
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
