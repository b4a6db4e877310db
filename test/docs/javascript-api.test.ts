import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Manifest, toJavaScriptApiMarkdown } from '../../scripts/javascript-api/page.js'

const root = new URL('../../', import.meta.url)
const manifest: Manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
const page = await readFile(new URL('docs/javascript-api.md', root), 'utf8')

const entryPoints = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'object' && target.types !== undefined ? [{ path, types: target.types }] : [],
)

describe('docs/javascript-api.md', () => {
  test('matches the declaration files; if not, run npm run derive', async () => {
    expect(await toJavaScriptApiMarkdown(fileURLToPath(root), manifest)).toBe(page)
  })

  test.each(entryPoints)('describes every export of $path', async ({ types }) => {
    const declarations = await readFile(
      new URL(types.replace('/esm/', '/types/src/'), root),
      'utf8',
    )
    const names = [...declarations.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']*)'/g)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.replace(/^\s*type |^.* as /, '').trim())
      .filter((name) => name !== '')
    const [, defaultName] = /^export default class (\w+)/m.exec(declarations) ?? []
    if (defaultName) names.push(defaultName)
    expect(names).not.toEqual([])

    const undescribed = names.filter(
      (name) => !page.includes(`\n### ${name}\n`) && !page.includes(`\n| \`${name}\` | `),
    )
    expect(undescribed).toEqual([])
  })

  test('has at most 1,500 lines', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(1_500)
  })
})
