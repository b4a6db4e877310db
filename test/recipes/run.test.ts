import { expect, test } from 'vitest'
import { run } from './run.js'

const runScript = (code: string, timeoutMs?: number) =>
  run([process.execPath, '--eval', code], import.meta.dirname, timeoutMs)

test('run resolves when a program succeeds, without the variables of vitest', async () => {
  await runScript('process.exit(process.env.VITEST === undefined ? 0 : 1)')
})

test('run throws the output of a program that fails', async () => {
  const failing = runScript('console.log("on stdout"); console.error("on stderr"); process.exit(3)')
  await expect(failing).rejects.toThrow(
    /failed in .*:\n(on stdout\non stderr|on stderr\non stdout)/,
  )
})

test('run ends a program that hangs, and those that it has started', async () => {
  // The output stays open as long as one of both runs.
  const hang = 'setInterval(() => {}, 1000)'
  const startAnother = `child_process.spawn(process.execPath, ['-e', '${hang}'], { stdio: 'inherit' })`
  const hanging = runScript(`${startAnother}; ${hang}`, 500)
  await expect(hanging).rejects.toThrow('ended after 0.5 s')
})

test('run throws if the folder or the program is missing', async () => {
  await expect(run(['npm', 'test'], '/does-not-exist')).rejects.toThrow('ENOENT')
})
