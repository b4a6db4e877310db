import { expect, test } from 'vitest'
import { createDirectory, readEvents, runServe, serve, until } from './support.js'

test('serve names the unknown variables with its prefix, and the nearest known ones', async () => {
  const env = {
    PETSTORE_SANDBOX_KEY_SECERT: 'a secret of the operator',
    PETSTORE_SANDBOX_TIME_TO_LIVE: '5',
    PETSTORE_SANDBOX_URL: 'http://127.0.0.1:4010', // of another command
    PETSTORE_SANDBOX_REPORT: 'a value', // of the Playwright fixture
    PETSTORE_API_KEY: 'a key',
  }
  const lines = [
    'PETSTORE_SANDBOX_KEY_SECERT is not a variable of petstore-sandbox and has no effect; did you mean PETSTORE_SANDBOX_KEY_SECRET?',
    'PETSTORE_SANDBOX_TIME_TO_LIVE is not a variable of petstore-sandbox and has no effect; petstore-sandbox help serve lists them',
  ]
  const served = await serve([], env)
  await until(() => readEvents(served).length > lines.length)
  const warnings = lines.map((line) => ({ time: expect.any(String), event: 'warning', line }))
  expect(readEvents(served).slice(1)).toEqual(warnings)
  const { stderr } = await runServe([], env)
  expect(stderr.replaceAll(/^\S+ {2}/gm, '')).toBe(`${lines.join('\n')}\n`)
  expect((await runServe([])).stderr).toBe('')
})

test('serve reads its options from environment variables and ignores empty ones', async () => {
  const directory = await createDirectory({ 'shop.json': { name: 'my-shop', extends: 'default' } })
  const { started } = await serve([], {
    PETSTORE_SANDBOX_HOST: 'localhost',
    PETSTORE_SANDBOX_SCENARIO: 'my-shop, sunset-soon',
    PETSTORE_SANDBOX_SCENARIOS: directory,
    PETSTORE_SANDBOX_WATCH: 'false',
    PETSTORE_SANDBOX_LOG: 'xml', // the command line takes precedence
    PETSTORE_SANDBOX_MAX_WORLDS: '',
  })
  expect(started.scenario).toBe('my-shop+sunset-soon')
  expect(started.urls.api).toMatch(/^http:\/\/localhost:\d+\/v1$/)
})
