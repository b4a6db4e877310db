import { expect, test } from 'vitest'
import { closedUrl } from '../cli/world-support.js'
import { openServer } from '../support/server.js'
import { openAgent } from './support.js'

/** Returns arrays in each other. */
const nest = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

test('wrong arguments are errors of the tool, which say what is wanted', async () => {
  const { call } = await openAgent()
  const calls = [
    await call('set_faults', { faults: [{ type: 'explode' }] }),
    await call('set_faults', {}),
    await call('list_requests', { statsu: '429' }),
    await call('list_requests', { limit: 'all' }),
    await call('list_requests', { limit: { toString: 1 } }),
    await call('coverage', { operation: 'getPets' }),
    await call('use_scenario', { scenario: { name: 'a', faults: 1 } }),
    await call('use_scenario', { scenario: nest(1_000) }),
    await call('use_scenario', { scenario: 'low-stok' }),
    await call('snapshot', { action: 'restore', name: 'absent' }),
    await call('report', { key: 'a b' }),
    await call('report', { key: 'sbx_gold' }),
  ]
  expect(calls.filter(({ isError }) => !isError)).toEqual([])
  expect(calls.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^invalid_field: \[0\]\.type must be "delay" .*found "explode"/),
    expect.stringContaining('faults is missing, wanted a value'),
    expect.stringContaining('statsu is not a known field; did you mean "status"?'),
    expect.stringContaining('limit must be a number from 1 to 99999, found "all"'),
    'limit must be a string, a number or a boolean, found an object',
    expect.stringContaining('operation must be one of getPet, '),
    expect.stringMatching(
      /^invalid_scenario: .*docs\/scenarios\.md of the sandbox describes the fields/,
    ),
    expect.stringContaining('the arguments are nested too deeply'),
    expect.stringContaining('did you mean "low-stock"?'),
    'name must be a snapshot of this session, found "absent" (string); known: none',
    'key must be an API key: printable ASCII without spaces',
    expect.stringMatching(/^invalid_api_key for the key sbx_gold…: .*; new_world returns a key/),
  ])
  expect(calls.map(({ text }) => text).join('\n')).not.toMatch(/^\s+at /m)
})

test('an unknown tool and a body beyond the limit leave the session usable', async () => {
  const { call } = await openAgent()
  await expect(call('explode')).rejects.toThrow('Tool explode not found')
  const huge = await call('use_scenario', { scenario: 'x'.repeat(11_000_000) })
  expect(huge).toMatchObject({ isError: true, text: expect.stringContaining('payload_too_large') })
  expect(await call('report')).toMatchObject({ isError: false })
})

test('a sandbox that does not respond is an error of the tool, also when it stops between calls', async () => {
  const { call } = await openAgent(['--url', closedUrl])
  expect(await call('report')).toMatchObject({
    isError: true,
    text: expect.stringMatching(
      /ECONNREFUSED.*start this command without --url and PETSTORE_SANDBOX_URL/,
    ),
  })

  const { server, url } = await openServer()
  const other = await openAgent(['--url', url])
  expect(await other.call('report')).toMatchObject({ isError: false })
  await server.close({ timeoutMs: 0 })
  expect(await other.call('report')).toMatchObject({
    isError: true,
    text: expect.stringContaining(`no sandbox responds at ${url}`),
  })
})

test('a port in use is an error of the tool, and the next call tries again', async () => {
  const { server, port } = await openServer()
  const { call } = await openAgent(['--port', String(port)])
  expect(await call('report')).toMatchObject({
    isError: true,
    text: expect.stringContaining(`${port}`),
  })
  await server.close({ timeoutMs: 0 })
  expect(await call('report')).toMatchObject({ isError: false })
})

test('calls beyond a few wait, so that none fails when there are many at once', async () => {
  const { call } = await openAgent()
  await call('new_world')
  const calls = await Promise.all(Array.from({ length: 200 }, () => call('report')))
  expect(calls.filter(({ isError }) => isError)).toEqual([])
})
