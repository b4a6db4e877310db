import { describe, expect, test } from 'vitest'
import { defineWorld } from '../../src/cli/commands/world.js'
import { toResultText } from '../../src/cli/world/columns.js'
import { createCommand } from '../../src/cli/world/command.js'
import { worldCommands } from '../../src/cli/world/commands.js'
import { addDerivedCommands } from '../../src/cli/world/derive.js'
import { controlOperationIds } from '../../src/control/operations.js'
import { faultKinds } from '../../src/world/faults/schema.js'
import { createTerminal, run } from './support.js'
import { type ServedWorld, serveWorld } from './world-support.js'

/** A command for each control operation, as if there were no hand-written one. */
const derived = addDerivedCommands([])

function listNames(entries: typeof derived): string[] {
  return entries.flatMap((entry) =>
    'commands' in entry
      ? entry.commands.map(({ name, operation }) => `${operation}: ${entry.name} ${name}`)
      : [`${entry.operation}: ${entry.name}`],
  )
}

/** Runs a derived command to its end. */
async function runDerived({ url }: ServedWorld, args: readonly string[]) {
  const { terminal, read } = createTerminal()
  const world = defineWorld(terminal).exitOverride()
  for (const entry of derived) world.addCommand(createCommand(entry, world, terminal))
  await world.parseAsync(['--url', url, ...args], { from: 'user' })
  return read().stdout
}

test('the name of a derived command follows from the method and path of its operation', () => {
  const names = listNames(derived)
  for (const name of [
    'getOverview: world show',
    'getClock: clock show',
    'changeClock: clock change',
    'listPets: pets list',
    'addPet: pets add',
    'changePet: pets change',
    'removePet: pets remove',
    'replaceFaults: faults set',
    'clearFaults: faults clear',
    'streamEvents: events show',
  ]) {
    expect(names).toContain(name)
  }
  expect(names).toHaveLength(controlOperationIds.length)
})

test('derived commands extend a hand-written group, and turn a single command into a group', () => {
  const clock = worldCommands.find(({ name }) => name === 'clock')
  const keys = worldCommands.find(({ name }) => name === 'keys')
  if (!clock || !('commands' in clock) || !keys) throw new Error('clock and keys must exist')
  const showOnly = { ...clock, commands: clock.commands.slice(0, 1) }
  const [extended] = addDerivedCommands([showOnly])
  expect(listNames(extended ? [extended] : [])).toEqual([
    'getClock: clock show',
    'changeClock: clock change',
  ])
  const other = { ...keys, name: 'pets' }
  const [group] = addDerivedCommands([other])
  expect(listNames(group ? [group] : []).slice(0, 2)).toEqual([
    'createKey: pets add',
    'listPets: pets list',
  ])
  expect(listNames(group ? [group] : [])).toContain('addPet: pets add-pet')
})

describe('a derived command', () => {
  test('prints a record as pairs', async () => {
    const served = await serveWorld()
    expect(await runDerived(served, ['quota'])).toBe(`\
Plan                 free
Minute limit         60
Minute used          0
Minute remaining     60
Minute rejected      0
Minute resets at     2026-01-15T09:01:00.250Z
Day limit            1000
Day used             0
Day remaining        1000
Day rejected         0
Day resets at        2026-01-16T09:00:00.250Z
Ban                  none
Ban rule rejections  10
Ban rule seconds     300
`)
  })

  test('prints a list of records as a table', async () => {
    const served = await serveWorld()
    const fault = ['faults', 'add', 'type=delay', 'delayMs=500', 'rate=0.5']
    expect(await runDerived(served, fault)).toBe('TYPE   DELAY MS  RATE\ndelay       500   0.5\n')
    expect(await runDerived(served, ['faults', 'clear'])).toBe('no faults\n')
  })

  test('sends fields as the body', async () => {
    const served = await serveWorld()
    const text = await runDerived(served, ['clock', 'change', 'advance=PT90S', 'frozen=true'])
    expect(text).toContain('Now               2026-01-15T09:01:30.250Z\nFrozen            yes\n')
    expect(served.sandbox.world.clock.isFrozen).toBe(true)
  })

  test('sends options as query parameters, and those that are true or false as flags', async () => {
    const served = await serveWorld()
    for (const path of ['/v1/nowhere', '/v1/inventory', '/v1/elsewhere']) await served.get(path)
    const args = ['--json', 'requests', 'list', '--unmatched', '--limit', '1']
    const rows: unknown = JSON.parse(await runDerived(served, args))
    expect(rows).toEqual([expect.objectContaining({ id: 3, operation: null })])
  })
})

test.each([
  [undefined, 'done\n'],
  ['<html>\n\u001b[2J', '<html>\n\\u{1b}[2J\n'],
  [[], 'no things\n'],
  [['a', 'b'], 'VALUE\na\nb\n'],
  [
    [{ a: 1 }, { b: { c: true, list: [1] } }],
    'A     B C   B LIST\n1     none  none\nnone  yes   [1]\n',
  ],
  [
    { id: '9223372036854775807', resetsAt: null },
    'Id         9223372036854775807\nResets at  none\n',
  ],
])('the result %j is printed as %j', (result, text) => {
  expect(toResultText(result, 'things', (_style, part) => part)).toBe(text)
})

test.each(Object.entries(faultKinds))(
  'the help of faults add describes the type %s with its fields and an example',
  async (type, { description, fields }) => {
    const { stdout } = await run(['world', 'faults', 'add', '--help'])
    expect(stdout).toContain(`  type=${type}: ${description}\n`)
    for (const name of Object.keys(fields))
      expect(stdout).toMatch(new RegExp(`^    ${name} +\\w`, 'm'))
    expect(stdout).toMatch(new RegExp(`petstore-sandbox world faults add type=${type}\\b`))
  },
)
