import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin } from '../support/program.js'
import { openAgent, opening, toLine } from './support.js'

const names = [
  ...['new_world', 'use_scenario', 'set_quota', 'move_clock', 'set_faults'],
  ...['list_requests', 'report', 'coverage', 'snapshot', 'reset'],
]

test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
  'a client with the negotiation %j lists ten tools, and verify only with a URL',
  async (mode) => {
    const options = { versionNegotiation: { mode } }
    const { client } = await openAgent([], options)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(names)
    const args = ['--verify-url', 'http://127.0.0.1:9/v1']
    const { tools: all } = await (await openAgent(args, options)).client.listTools()
    expect(all.map(({ name }) => name)).toEqual([...names, 'verify'])
    expect(JSON.stringify(all).length).toBeLessThanOrEqual(10_000)
  },
)

test('the hints say which tools only read, discard state, or reach another server', async () => {
  const { client } = await openAgent(['--verify-url', 'http://127.0.0.1:9/v1'])
  const { tools } = await client.listTools()
  const list = (hint: 'readOnlyHint' | 'destructiveHint' | 'openWorldHint') =>
    tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name)
  expect(list('readOnlyHint')).toEqual(['list_requests', 'report', 'coverage', 'verify'])
  expect(list('destructiveHint')).toEqual(['use_scenario', 'set_faults', 'snapshot', 'reset'])
  expect(list('openWorldHint')).toEqual(['verify'])
})

test('the arguments have the names, types and descriptions of the control API', async () => {
  const { client } = await openAgent()
  const { tools } = await client.listTools()
  const find = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties
  const key = { type: 'string', description: expect.any(String) }
  expect(find('move_clock')).toMatchObject({
    now: { type: 'string' },
    advance: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    advanceTo: { type: 'string', enum: ['next-event'] },
    frozen: { type: 'boolean', description: 'Stops the clock, or lets it run.' },
    key,
  })
  expect(find('list_requests')).toMatchObject({
    unmatched: { type: 'boolean' },
    before: { type: 'integer' },
    operation: { enum: expect.arrayContaining(['getPet']) },
  })
  expect(find('set_quota')).toMatchObject({
    minute: { type: 'object', properties: { remaining: { type: 'integer' } } },
    ban: { anyOf: [{ type: 'object' }, { type: 'null' }] },
  })
  const properties = {
    type: { enum: ['delay', 'reset', 'status', 'truncate', 'sequence'] },
    phase: { enum: ['before', 'after'] },
    sequence: { type: 'array' },
  }
  expect(find('set_faults')).toMatchObject({ faults: { type: 'array', items: { properties } } })
})

/** Runs the program until it has listed its tools. Prints its processor time in milliseconds. */
const measured = `
  const { write } = process.stdout
  process.stdout.write = (text, ...others) => {
    if (!text.includes('"tools":[')) return write.call(process.stdout, text, ...others)
    const { user, system } = process.cpuUsage()
    console.error((user + system) / 1_000)
    process.exit()
  }
  require(process.argv[1])
`

test('from a cold start, the list of tools takes less than 400 ms', async () => {
  const times: number[] = []
  // Processor time, and the best of five, because the other tests use the processors as well.
  for (let run = 0; run < 5; run += 1) {
    const stderr = await new Promise<string>((resolve, reject) => {
      const args = ['--eval', measured, '--', bin, 'mcp']
      const { stdin } = execFile(process.execPath, args, (error, _stdout, text) =>
        error ? reject(error) : resolve(text),
      )
      stdin?.write(opening + toLine({ id: 2, method: 'tools/list' }))
    })
    times.push(Number(stderr))
  }
  expect(Math.min(...times)).toBeGreaterThan(0)
  expect(Math.min(...times)).toBeLessThan(400)
})
