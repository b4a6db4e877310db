import { describe, expect, test } from 'vitest'
import { toResultText } from '../../src/cli/render.js'
import { worldCommands } from '../../src/cli/world/commands.js'
import { controlOperationIds } from '../../src/control/operations.js'
import { faultKinds } from '../../src/world/faults/schema.js'
import { run } from './support.js'
import { serveWorld } from './world-support.js'

describe('a command of world', () => {
  test('exists for each control operation', () => {
    const ids = new Set(worldCommands.map(({ id }) => id))
    expect([...ids]).toEqual(controlOperationIds)
  })

  test.each([
    ['getOverview', 'show'],
    ['resetWorld', 'reset'],
    ['getClock', 'clock show'],
    ['listPets', 'pets list'],
    ['addPet', 'pets add'],
    ['changePet', 'pets change'],
    ['removePet', 'pets remove'],
    ['replaceFaults', 'faults set'],
    ['clearFaults', 'faults clear'],
    ['streamEvents', 'events'],
  ])('for %s has the name "%s", derived from the method and path', (id, name) => {
    expect(worldCommands.filter((command) => command.id === id)).toMatchObject([{ name }])
  })

  test('prints a record as pairs, and the requests of the journal as lines', async () => {
    const { print, sandbox, get } = await serveWorld()
    sandbox.world.faults.set({ type: 'status', status: 503, code: 'busy', atMost: 1 })
    await get('/v1/inventory')
    expect(await print('journal')).toBe(`\
Capacity   500
Retained   1
Newest id  1
Dropped    0
Codes      busy
Pending    none
#1  2026-01-15T09:00:00.250Z  503  GET /inventory  listInventory  sbx_free…  busy
`)
  })

  test('has an option for each field of the body, without the verb', async () => {
    const { stdout } = await run(['world', 'quota', 'set', '--help'])
    expect(stdout).toMatch(/--minute-resets-at <resets-at> +End of the window/)
    const { stdout: ban } = await run(['world', 'quota', 'ban', '--help'])
    expect(ban).toMatch(/--seconds <seconds> +Length of the ban/)
  })

  test('lists the values of a field that has only some', async () => {
    const { stdout } = await run(['world', 'keys', '--help'])
    expect(stdout).toMatch(/--plan <plan> +Plan of the key. \(choices: "free", /)
  })

  test('sends options as query parameters, and those that are true or false as flags', async () => {
    const { get, json } = await serveWorld()
    for (const path of ['/v1/nowhere', '/v1/inventory', '/v1/elsewhere']) await get(path)
    const rows = await json('requests', 'list', '--unmatched', '--limit', '1')
    expect(rows).toEqual([expect.objectContaining({ id: 3, operation: null })])
  })
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
