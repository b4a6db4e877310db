import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** An addition that CONTRIBUTING.md shows: a new file, or text for an existing one. */
interface Addition {
  readonly file: string
  /** `create` a file, `append` a line to it, or `insert` an entry at the end of a constant. */
  readonly action: 'create' | 'append' | 'insert'
  readonly text: string
}

/**
 * Reads the code blocks of CONTRIBUTING.md whose info string names a file. The line before a block
 * must end with the same name, because a rendered page does not show the info string.
 */
export function readAdditions(): Addition[] {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const blocks = page.matchAll(/`(src\/\S+)`:\n\n```ts \1(?: (\S+))?\n([\s\S]*?)^```$/gm)
  return Array.from(blocks, ([, file = '', where, text = '']) => {
    if (where === undefined) return { file, text, action: 'create' }
    return { file, text, action: where === '+' ? 'append' : 'insert' }
  })
}

/** Copies everything that a build needs to a directory. */
export function copySource(directory: string): void {
  for (const name of ['src', 'build', 'scripts', 'scenarios', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(directory, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
}

/** Applies one addition to a copy of the source. */
export function apply({ file, action, text }: Addition, directory: string): void {
  const path = join(directory, file)
  if (action === 'create') {
    writeFileSync(path, text, { flag: 'wx' })
    return
  }
  const before = readFileSync(path, 'utf8')
  const after =
    action === 'append' ? `${before}${text}` : before.replace(/^\} as const/m, `${text}} as const`)
  if (after === before) throw new Error(`${file} has no place for ${text}`)
  writeFileSync(path, after)
}
