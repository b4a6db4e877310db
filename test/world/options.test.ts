import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { createSandbox as createNodeSandbox } from '../../src/node.js'
import { createSandboxServer } from '../../src/server.js'
import { startBrowserSandbox } from '../../src/transport/browser/sandbox.js'

type Make = (options: unknown) => Promise<unknown>

const startSandbox: Make = (options) =>
  Reflect.apply(startBrowserSandbox, undefined, [options, () => {}])

const entryPoints: readonly (readonly [entryPoint: string, name: string, make: Make])[] = [
  ['.', 'createSandbox', (options) => Reflect.apply(createSandbox, undefined, [options])],
  ['./node', 'createSandbox', (options) => Reflect.apply(createNodeSandbox, undefined, [options])],
  [
    './server',
    'createSandboxServer',
    (options) => Reflect.apply(createSandboxServer, undefined, [options]),
  ],
  ['./browser', 'startSandbox', startSandbox],
]

const time = 'a finite number of milliseconds since 1970'

describe.each(entryPoints)('the entry point %s', (_entryPoint, name, make) => {
  test.each([
    [[], `the options of ${name} must be an object, found an array of 0`],
    [{ maxWorld: 3 }, `maxWorld is not an option of ${name}; did you mean "maxWorlds"? known: `],
    [{ journalCapacity: -1 }, 'journalCapacity must be an integer from 0 to 100000, found -1'],
    [{ sleep: 'long' }, 'sleep must be a function, found "long" (string)'],
    [{ now: async () => 0 }, `now must return ${time}, found an object`],
  ])('rejects %o', async (options, message) => {
    const failure = await make(options).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TypeError)
    expect(String(failure)).toContain(message)
  })
})

test.each([
  [{ scenarioDirectory: 5 }, 'scenarioDirectory must be a non-empty string, found 5'],
  [{ handlers: {} }, 'handlers must be an array of msw request handlers, found an object'],
  [{ sandbox: {} }, 'sandbox must be a sandbox that createSandbox returned, found an object'],
  [{ sandbox: createSandbox() }, 'sandbox must be a sandbox that createSandbox returned, found an'],
  [{ limits: { lingerMs: '5' } }, 'limits.lingerMs must be an integer from 1, found "5" (string)'],
  [{ persist: true }, 'persist is not an option of createSandboxServer'],
])('createSandboxServer rejects %o', async (options, message) => {
  await expect(Reflect.apply(createSandboxServer, undefined, [options])).rejects.toThrow(message)
})

test.each([
  [{ persist: 'yes' }, 'persist must be true or false, found "yes" (string)'],
  [{ expose: 1 }, 'expose must be true or false, found 1 (number)'],
  [{ quiet: 0 }, 'quiet must be true or false, found 0 (number)'],
  [{ storageKey: '' }, 'storageKey must be a non-empty string, found "" (string)'],
  [{ overlay: 'left' }, 'overlay must be true, false, bottom-right, bottom-left, top-right'],
  [{ panel: 'yes' }, 'panel must be true, false or the options of a panel, found "yes" (string)'],
  [{ panel: { positon: 'top-left' } }, 'the options of the panel has no field "positon"; did'],
  [{ panel: { position: 'left' } }, 'position must be one of bottom-right, bottom-left, top-right'],
  [{ panel: { apiKey: 'a b' } }, 'apiKey must be printable ASCII characters without spaces'],
  [{ scenarios: {} }, 'scenarios must be an array of scenarios, found an object'],
  [{ scenarioFromUrl: 5 }, 'scenarioFromUrl must be true, false or the name of a parameter, found'],
  [{ onUnhandledRequest: 'no' }, 'onUnhandledRequest must be "bypass", "warn" or "error", found'],
  [{ serviceWorker: '/x.js' }, 'serviceWorker must be an object, found "/x.js" (string)'],
  [
    { serviceWorker: { ur: '/x.js' } },
    'serviceWorker.ur is not an option of startSandbox; did you mean "url"?',
  ],
  [{ handlers: [] }, 'handlers is not an option of startSandbox'],
])('startSandbox rejects %o', async (options, message) => {
  await expect(startSandbox(options)).rejects.toThrow(message)
})

test('createSandboxServer accepts every option, and undefined for each', async () => {
  const handlers = [http.get('/x', () => HttpResponse.text('x'))]
  const limits = { connections: 1, lingerMs: 1 }
  const sandbox = await createSandbox({
    scenario: 'empty-store',
    journalCapacity: 0,
    maxWorlds: 1,
    now: () => 0,
    sleep: async () => {},
  })
  const server = await createSandboxServer({ sandbox, handlers, limits })
  expect(server.sandbox).toBe(sandbox)
  const nothing = { scenario: undefined, maxWorlds: undefined, handlers: undefined }
  await expect(Reflect.apply(createSandboxServer, undefined, [nothing])).resolves.toBeDefined()
})

test.each([
  [[5], 'worldFor takes an API key such as "sbx_free", found 5 (number)'],
  [['sbx_free', 'prod'], 'environment must be production or staging, found "prod" (string)'],
])('worldFor(...%j) rejects', async (given, message) => {
  const sandbox = await createSandbox()
  await expect(Reflect.apply(sandbox.worldFor, sandbox, given)).rejects.toThrow(
    new TypeError(message),
  )
})
