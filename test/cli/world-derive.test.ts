import { expect, test } from 'vitest'
import { toResultText } from '../../src/cli/render.js'
import { worldCommands } from '../../src/cli/world/commands.js'
import { controlOperationIds } from '../../src/control/operations.js'
import { run } from './support.js'

test('a command of world exists for each control operation, and its help has examples', async () => {
  const ids = new Set(worldCommands.map(({ id }) => id))
  expect([...ids]).toEqual(controlOperationIds)
  for (const { name } of worldCommands) {
    const { stdout } = await run(['world', ...name.split(' '), '--help'])
    expect(stdout).toContain(`\nExamples:\n  petstore-sandbox world ${name.split(' ')[0]}`)
  }
})

test.each([
  [undefined, 'done\n'],
  ['<html>\n\u001b[2J', '<html>\n\\u{1b}[2J\n'],
  [[], 'no things\n'],
  [[{ a: 1 }, { a: { c: true, someList: [1, 2] } }], 'A\n1\nc yes, some list 1, 2\n'],
  [
    { id: '9223372036854775807', resetsAt: null },
    'Id         9223372036854775807\nResets at  none\n',
  ],
])('the result %j is printed as %j', (result, text) => {
  expect(toResultText(result, 'things', (_style, part) => part)).toBe(text)
})
