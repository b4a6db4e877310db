import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { controlOperationIds, controlOperations } from '../../src/control/operations.js'
import { addresses } from '../../src/service/addresses.js'
import { readExamples } from './examples.js'
import { createDirectory, createTerminal, run, runToEnd } from './support.js'
import { serveWorld } from './world-support.js'

const program = await createProgram(createTerminal().terminal, ['world'])
const world = program.commands.find((command) => command.name() === 'world')
if (!world) throw new Error('the program must have a command world')
const commands = listCommands(world)
const leaves = commands.filter(({ command }) => command.commands.length === 0)

/** Returns a command and its subcommands, each with the names that follow `world`. */
function listCommands(command: Command, path: readonly string[] = []): Named[] {
  const below = command.commands.flatMap((child) => listCommands(child, [...path, child.name()]))
  return [{ path, command, name: path.join(' ') || 'world' }, ...below]
}

interface Named {
  readonly path: readonly string[]
  readonly command: Command
  readonly name: string
}

describe.each(commands)('the help of $name', ({ path, command }) => {
  test('has examples, the options of the command and those of world', async () => {
    const { code, stdout, stderr } = await run(['world', ...path, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('\nExamples:\n  petstore-sandbox world')
    for (const { flags } of [...command.options, ...world.options]) expect(stdout).toContain(flags)
    for (const below of command.commands) expect(stdout).toContain(`  ${below.name()} `)
    const shared = world.options.map(({ long }) => long)
    const own = path.length === 0 ? [] : command.options.map(({ long }) => long)
    expect(own.filter((flag) => shared.includes(flag))).toEqual([])
  })

  test('is printed by the help command as well', async () => {
    const name = path.at(-1) ?? 'world'
    const above = path.length === 0 ? [] : ['world', ...path.slice(0, -1)]
    const { stdout } = await run([...above, 'help', name])
    expect(stdout).toBe((await run(['world', ...path, '--help'])).stdout)
  })
})

const apiKey = 'sbx_pro_default_secret-label'

/** Returns a function that runs an example in a reset world, and the operations that were sent. */
async function openExamples() {
  const sent = new Set<string>()
  const { url, sandbox } = await serveWorld()
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    sent.add(findOperation(String(input).slice(url.length), init?.method ?? 'GET'))
    return send(input, init)
  })
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const runExample = async (words: readonly string[], ...more: readonly string[]) => {
    await (await sandbox.worldFor(apiKey)).use('default')
    const directory = await createDirectory({
      'faults.json': [{ type: 'reset' }],
      ...(!words.includes('--output') && { 'seen.json': { name: 'seen' } }),
    })
    const args = words.map((word) =>
      /\.(json|html|xml)$/.test(word) ? join(directory, word) : word,
    )
    const access = words.includes('--key') ? ['--url', url] : ['--url', url, '--key', apiKey]
    return runToEnd([...args.slice(0, 1), ...access, ...args.slice(1).filter(isNotUrl), ...more])
  }
  return { runExample, sent }
}

function isNotUrl(word: string): boolean {
  return word !== '--url' && !word.startsWith('http://')
}

/** Returns the control operation of a request to a path below the root of a sandbox. */
function findOperation(path: string, method: string): string {
  const below = path.replace(/^\/staging/, '').slice(addresses.control.httpPath.length)
  const found = controlOperationIds.find((id) => {
    const row = controlOperations[id]
    const pattern = `^${row.path.replace(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`
    return row.method === method && new RegExp(pattern).test(below)
  })
  if (!found) throw new Error(`${method} ${path} is not a control operation`)
  return found
}

test('every example of every help works, and together they send every control operation', async () => {
  const { runExample, sent } = await openExamples()
  for (const { path } of commands) {
    const { stdout: help } = await run(['world', ...path, '--help'])
    const examples = readExamples(help)
    expect(examples).not.toEqual([])
    for (const words of examples) {
      const names = ['world', ...path.slice(0, 1)]
      expect(words.slice(0, names.length)).toEqual(names)
      const { code, stdout, stderr } = await runExample(words)
      const messages = stderr.replace(/^(following|wrote) .*\n/, '')
      expect({ words, code }).toEqual({ words, code: 0 })
      // The world of an example has received no request, which only a report states.
      const isReport = words.includes('report')
      expect(messages).toBe(isReport ? 'petstore-sandbox: the key has sent no request\n' : '')
      expect(stdout !== '' || stderr !== '').toBe(true)
    }
  }
  expect([...sent].sort()).toEqual([...controlOperationIds].sort())
})

test.each(leaves)('$name prints JSON with --json, and no unmasked key', async ({ path }) => {
  const { runExample } = await openExamples()
  const { stdout: help } = await run(['world', ...path, '--help'])
  const [words = []] = readExamples(help)
  const { code, stdout } = await runExample(words, '--json')
  expect(code).toBe(0)
  if (path[0] !== 'events') expect(() => JSON.parse(stdout)).not.toThrow()
  const keys = stdout.match(/sbx_[\w-]+/g) ?? []
  const unmasked = keys.filter((key) => key.length > 12)
  expect(unmasked).toHaveLength(path[0] === 'keys' ? 1 : 0)
})
