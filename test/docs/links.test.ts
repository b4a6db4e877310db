import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readPages } from './pages.js'

const root = new URL('../../', import.meta.url)
const pages = await readPages(root)

test.each([...pages])('every relative link in %s has a target', async (path, content) => {
  const links = content.matchAll(/(?:\]\(|\bsrc(?:set)?=")(?!https?:|\/@)([^)"]*)[)"]/g)
  const targets = [...links].map(([, target = '']) => target)
  const broken = []
  for (const target of new Set(targets)) {
    if (!(await hasTarget(new URL(path, root), target))) broken.push(target)
  }
  expect(broken).toEqual([])
})

test.each([...pages].filter(([path]) => path !== 'README.md'))(
  '%s has no picture, because the package has none',
  (_, content) => {
    expect(content).not.toMatch(/!\[|<img/)
  },
)

/** Whether the file of a link exists and has the heading of its fragment. */
async function hasTarget(page: URL, link: string): Promise<boolean> {
  const { pathname, hash } = new URL(link, page)
  const content = await readFile(decodeURIComponent(pathname), 'utf8').catch(() => undefined)
  if (content === undefined || hash === '') return content !== undefined
  return toAnchors(content).includes(hash.slice(1))
}

/** Returns the anchors of the headings as on GitHub, which numbers repeated headings. */
function toAnchors(content: string): string[] {
  const counts = new Map<string, number>()
  return [...content.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}
