import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { createTerminal, run } from './support.js'

test('the help of serve lists a variable for each option', async () => {
  const program = await createProgram(createTerminal().terminal, ['--help'])
  const { stdout } = await run(['help', 'serve'])
  const flags = [...stdout.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, flag = '']) => flag)
  const variables = flags
    .filter((flag) => flag !== 'help')
    .map((flag) => `PETSTORE_SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`)
  const serve = program.commands.find((command) => command.name() === 'serve')
  expect(variables).toHaveLength(serve?.options.length ?? 0)
  for (const variable of variables) expect(stdout).toContain(variable)
})

test.each([
  [['help', 'help'], 'petstore-sandbox [options] [command]'],
  [['help', '--help'], 'petstore-sandbox [options] [command]'],
  [['help', 'world', 'clock'], 'petstore-sandbox world clock [options] [command]'],
  [['help', 'world', 'clock', 'set'], 'petstore-sandbox world clock set [options] <time>'],
  [['world', 'help', 'clock'], 'petstore-sandbox world clock [options] [command]'],
])('%j prints the help of the command', async (args, usage) => {
  const { code, stdout } = await run(args)
  expect({ code, usage: stdout.split('\n', 1)[0] }).toEqual({ code: 0, usage: `Usage: ${usage}` })
})

test.each([
  [['nope', '--help'], '"nope" is not a command; known: serve, '],
  [['report'], '"report" is not a command; did you mean "world report"?'],
  [['report', '--help'], '"report" is not a command; did you mean "world report"?'],
  [['help', 'snapshot'], '"snapshot" is not a command; did you mean "world snapshot"?'],
  [['help', 'world', 'nonsense'], '"nonsense" is not a command of petstore-sandbox world; known:'],
  [['help', 'world', 'clock', 'st'], '"st" is not a command of petstore-sandbox world clock; did'],
  [['--port', '8080', 'serv'], '"serv" is not a command; did you mean "serve"?'],
  [['--watch', 'nope'], '"nope" is not a command; known: serve, scenarios, check, '],
])('%j fails with the reason in one line', async (args, reason) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).toContain(reason)
})
