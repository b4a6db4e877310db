import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { planIds } from '../../src/service/plans.js'
import { createTerminal, run } from './support.js'

const program = await createProgram(createTerminal().terminal, ['--help'])

describe('the help', () => {
  test('of the program lists every command and has examples', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const command of program.commands) expect(stdout).toContain(`  ${command.name()} `)
    expect(stdout).toContain('Examples:\n  petstore-sandbox')
  })

  test.each(program.commands.map((command) => [command.name(), command] as const))(
    'of %s lists every option with its variable, and has examples',
    async (name, command) => {
      const { code, stdout, stderr } = await run([name, '--help'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('Examples:\n  petstore-sandbox')
      for (const option of command.options) expect(stdout).toContain(option.flags)
      const words = stdout.replaceAll(/\s+/g, ' ')
      for (const option of command.options) expect(words).toContain(option.description)
    },
  )

  test('of serve lists a variable for each option', async () => {
    const { stdout } = await run(['help', 'serve'])
    const flags = [...stdout.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, flag = '']) => flag)
    const variables = flags
      .filter((flag) => flag !== 'help')
      .map((flag) => `PETSTORE_SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`)
    const serve = program.commands.find((command) => command.name() === 'serve')
    expect(variables).toHaveLength(serve?.options.length ?? 0)
    for (const variable of variables) expect(stdout).toContain(variable)
  })
})

test.each([
  [['help'], 'petstore-sandbox [options] [command]'],
  [['help', 'help'], 'petstore-sandbox [options] [command]'],
  [['help', '--help'], 'petstore-sandbox [options] [command]'],
  [['help', 'key'], 'petstore-sandbox key [options]'],
  [['help', 'world', 'clock'], 'petstore-sandbox world clock [options] [command]'],
  [['help', 'world', 'clock', 'set'], 'petstore-sandbox world clock set [options] <time>'],
  [['world', 'help', 'clock'], 'petstore-sandbox world clock [options] [command]'],
])('%j prints the help of the command', async (args, usage) => {
  const { code, stdout } = await run(args)
  expect({ code, usage: stdout.split('\n', 1)[0] }).toEqual({ code: 0, usage: `Usage: ${usage}` })
})

test('--version prints the version of the package', async () => {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { stdout, code } = await run(['--version'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${JSON.parse(manifest).version}\n` })
})

test.each([
  [['nope', '--help'], '"nope" is not a command; known: serve, '],
  [['help', 'nope'], '"nope" is not a command; known: serve, '],
  [['report'], '"report" is not a command; did you mean "world report"?'],
  [['report', '--help'], '"report" is not a command; did you mean "world report"?'],
  [['help', 'snapshot'], '"snapshot" is not a command; did you mean "world snapshot"?'],
  [['help', 'world', 'nonsense'], '"nonsense" is not a command of petstore-sandbox world; known:'],
  [['help', 'world', 'clock', 'st'], '"st" is not a command of petstore-sandbox world clock; did'],
  [['world', 'clok'], '"clok" is not a command of petstore-sandbox world; did you mean'],
  [['--port', '8080', 'serv'], '"serv" is not a command; did you mean "serve"?'],
  [['--watch', 'nope'], '"nope" is not a command; known: serve, scenarios, check, '],
  [['chek'], '"chek" is not a command; did you mean "check"?'],
  [
    ['scenarios', 'low-stock'],
    'petstore-sandbox scenarios takes no argument, found "low-stock"; see petstore-sandbox scenarios --help',
  ],
  [['serve', 'low-stock'], 'petstore-sandbox serve takes no argument, found "low-stock"; see'],
  [['world', 'show', 'x'], 'petstore-sandbox world show takes no argument, found "x"; see'],
  [['--prot', '1'], "unknown option '--prot' (Did you mean --port?); see petstore-sandbox serve"],
  [['check'], "missing required argument 'file'; see petstore-sandbox check --help"],
  [
    ['key', '--plan', 'gold', '--label', '_'],
    `--plan must be ${planIds.map((id) => `"${id}"`).join(' or ')}, found "gold" (string); --label must be`,
  ],
  [
    ['key', '--scenario', 'No Name'],
    '--scenario must be the name of a scenario, which petstore-sandbox scenarios lists, found "No',
  ],
  [
    ['serve', '--log', 'loud', '--port', 'x'],
    '--port must be an integer from 0 to 65535, found "x"',
  ],
  [
    ['serve', '--log', 'loud', '--port', 'x'],
    '; --log must be "pretty" or "json" or "silent", found "loud" (string); see',
  ],
  [['openapi', '--openapi', '2.0'], '--openapi must be "3.0" or "3.1", found "2.0"'],
  [['openapi', '--public-url', 'sandbox.example'], 'such as "https://sandbox.example/petstore"'],
  [['openapi', '--output', '/no/such/file'], 'cannot write --output /no/such/file'],
  [['scenarios', '--scenarios', '/no/such'], '/no/such: must be a readable directory'],
])('%j fails with the reason in one line', async (args, reason) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).toContain(reason)
})
