import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

test('a seed names the known scenarios that it was prepared from, if no other one is among them', async () => {
  const { core } = await createSandbox({ scenario: 'low-stock' })
  const { library } = core.settings
  const own = { name: 'mine', extends: 'default' }
  expect(core.worlds.initialSeed.names).toEqual(['low-stock'])
  expect((await library.prepare(['flaky', 'default'])).names).toEqual(['flaky', 'default'])
  expect((await library.prepare(['flaky', own])).names).toBeUndefined()
})
