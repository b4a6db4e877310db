import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Consumer, readMswVersion } from '../package/consumer.js'

describe('beside test runners that the package does not support', () => {
  let consumer: Consumer
  beforeAll(async () => {
    // npm would refuse to install a peer dependency that is out of range.
    const msw = `msw@${await readMswVersion()}`
    consumer = await Consumer.create([msw, 'vitest@3.2.4', '@playwright/test@1.49.1'])
  })
  afterAll(() => consumer?.remove())

  const loadPlaywright = () => consumer.runModule(`await import('petstore-sandbox/playwright')`)

  test('the package is installed, and its other entry points can be used', async () => {
    const output = await consumer.runModule(`
      import { createSandbox } from 'petstore-sandbox'
      const sandbox = await createSandbox()
      console.log(sandbox.handlers.length > 0)`)
    expect(output).toBe('true\n')
  })

  test.each(['forks', 'vmThreads'])(
    'petstore-sandbox/vitest explains which vitest it requires, with --pool %s',
    async (pool) => {
      await consumer.write(
        'old.test.js',
        `import { test } from 'petstore-sandbox/vitest'
         test('nothing', () => {})`,
      )
      const { code, stderr } = await consumer.run(`npx vitest run --pool ${pool}`)
      expect(stderr).toContain(
        'Error: petstore-sandbox/vitest requires vitest 4.1 or newer, found 3.2.4; ' +
          'run npm install --save-dev vitest@4',
      )
      expect(code).toBe(1)
    },
  )

  test('petstore-sandbox/playwright explains which @playwright/test it requires', async () => {
    await expect(loadPlaywright()).rejects.toThrow(
      'Error: petstore-sandbox/playwright requires @playwright/test 1.50 or newer, found 1.49.1; ' +
        'run npm install --save-dev @playwright/test@1',
    )
  })

  test.each([
    ['1.50.0', true],
    ['1.100.0', true],
    ['2.0.0-beta.1', true],
    ['0.99.0', false],
    ['next', true],
  ])('petstore-sandbox/playwright with @playwright/test %s: loads %s', async (version, loads) => {
    const path = 'node_modules/@playwright/test/package.json'
    const { stdout } = await consumer.run(`cat ${path}`)
    await consumer.write(path, JSON.stringify({ ...JSON.parse(stdout), version }))
    const loaded = loadPlaywright()
    if (loads) await expect(loaded).resolves.toBe('')
    else await expect(loaded).rejects.toThrow(`or newer, found ${version};`)
  })
})
