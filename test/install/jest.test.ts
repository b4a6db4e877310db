import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Consumer, readMswVersion } from '../package/consumer.js'

const documented = await readFile(
  join(import.meta.dirname, '../../examples/jest/jest.config.json'),
  'utf8',
)

/**
 * The configuration of the recipe: what msw requires (https://github.com/mswjs/msw/issues/2698).
 * This package requires nothing in addition.
 */
const commonJs = { ...JSON.parse(documented), testMatch: ['**/*.test.cjs'] }

/** What Jest requires for ES modules. */
const esModules = { testMatch: ['**/*.test.mjs'], transform: {} }

/** Node.js, and jsdom in the environment that msw recommends. */
const environments = ['node', 'jest-fixed-jsdom']

describe.each(['29', '30'])('in Jest %s', (version) => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await Consumer.create([
      `msw@${await readMswVersion()}`,
      `jest@${version}`,
      `jest-environment-jsdom@${version}`,
      'jest-fixed-jsdom@0.0.11',
      '@babel/plugin-transform-modules-commonjs@7',
    ])
    for (const name of ['sandbox', 'server']) {
      const source = `test/package/project/${name}.test.js`
      await consumer.copy(source, `${name}.test.cjs`)
      await consumer.copy(source, `${name}.test.mjs`)
    }
  })
  afterAll(() => consumer?.remove())

  test.each([
    ['CommonJS', commonJs, ''],
    ['ES modules', esModules, '--experimental-vm-modules'],
  ])('the package works as %s, in Node.js and in jsdom', async (_mode, config, options) => {
    // On a busy machine, the first request to a server can take longer than the five seconds of Jest.
    const projects = environments.map((name) => ({ ...config, testEnvironment: name }))
    await consumer.write('jest.config.json', JSON.stringify({ projects, testTimeout: 60_000 }))
    const { code, stderr } = await consumer.run(`NODE_OPTIONS=${options} npx jest`)
    expect(stderr).toMatch(/^Tests: +30 passed, 30 total$/m)
    expect(code).toBe(0)
  })
})
