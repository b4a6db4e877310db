import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readComment } from '../../scripts/javascript-api/comment.js'
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

describe('readComment', () => {
  test('splits a docstring at its block tags', () => {
    const source = `/**
 * Reads a file,
 * once.
 *
 * @param path - Path of the file,
 * relative or absolute.
 * @param options Options.
 *
 * @returns The content.
 *
 * @throws
 *
 * {TypeError} If the path is empty.
 */
`
    expect(readComment(source)).toEqual({
      description: 'Reads a file, once.',
      parameters: new Map([
        ['path', 'Path of the file, relative or absolute.'],
        ['options', 'Options.'],
      ]),
      returns: 'The content.',
      throws: [{ type: 'TypeError', condition: 'If the path is empty.' }],
      examples: [],
    })
  })

  test('restores the indentation of an example', () => {
    const source = '/**\n * @example\n *\n * run(() => {\n *  a({ b })\n * })\n * c()\n */\n'
    expect(readComment(source).examples).toEqual(['run(() => {\n  a({ b })\n})\nc()'])
  })

  test('keeps an example in a fence as it is', () => {
    const source = '/**\n * @example\n * ```ts\n * run(\n *     1,\n * )\n * ```\n */\n'
    expect(readComment(source).examples).toEqual(['run(\n    1,\n)'])
  })
})
