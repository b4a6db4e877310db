import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, run } from './support.js'

/** CSI as one character: a terminal may interpret it like ESC [. */
const csi = '\u009b2J'

const scenario = { name: 'c1', extends: 'default', description: `a ${csi} b` }

/** Runs a command and asserts that it prints no C1 control character but the escape of CSI. */
async function runEscaped(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(args)
  const printed = stdout + stderr
  expect(printed).not.toMatch(/[\u007f-\u009f]/)
  expect(printed).toMatch(/\\u009b2J|\\u\{9b\}2J/)
  return stdout
}

test.each([
  ['an unknown command', [csi]],
  ['an unknown option', [`--${csi}`]],
  ['the value of an option', ['serve', '--port', csi]],
  ['the file of a command', ['check', `${csi}.json`]],
  ['an argument of a world command', ['world', 'faults', 'add', csi]],
] as const)('%s is printed without control characters', async (_, args) => {
  await runEscaped(...args)
})

test('the problems of a scenario file are printed without control characters', async () => {
  const directory = await createDirectory({ 'c1.json': { ...scenario, [csi]: 1, name: csi } })
  await runEscaped('check', join(directory, 'c1.json'))
})

test('JSON is printed without control characters, and has the same value', async () => {
  const directory = await createDirectory({ 'c1.json': scenario })
  const printed = await runEscaped('scenarios', '--json', '--scenarios', directory)
  expect(JSON.parse(printed)).toEqual(
    expect.arrayContaining([expect.objectContaining({ description: scenario.description })]),
  )
})
