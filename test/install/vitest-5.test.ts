import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Consumer, readMswVersion } from '../package/consumer.js'
import { newerNode } from '../support/newer-node.js'

const code = `
import { expect } from 'vitest'
import { connect } from 'petstore-sandbox/connect'
import { createSandbox } from 'petstore-sandbox/node'
import { test } from 'petstore-sandbox/vitest'

test.override({ scenario: 'low-stock' })

test('lists the inventory', async ({ sandbox }) => {
  await fetch(\`\${sandbox.baseUrl}/inventory\`, { headers: sandbox.headers })
  expect(sandbox).toHaveReceived('listInventory', { status: 200, times: 1 })
  expect.soft(sandbox.world).not.toHaveReceived('getPet')
  expect(sandbox).toHaveReceivedNothingUnmatched()
})

test('asserts on a remote world', async () => {
  const { fetch } = await createSandbox()
  const world = await connect({ url: 'https://api.petstore.example', apiKey: 'sbx_free', fetch })
  const assertion: Promise<void> = expect(world).not.toHaveReceived('getPet')
  await assertion
  await expect(world).toHaveReceivedNothingUnmatched()
})
`
const misspelled = `
import { expect } from 'vitest'
import 'petstore-sandbox/vitest'

// @ts-expect-error
expect({}).toHaveReceived('listInventory', { statuss: 200 })
`

describe('with vitest 5', () => {
  let consumer: Consumer
  beforeAll(async () => {
    const msw = `msw@${await readMswVersion()}`
    consumer = await Consumer.create([msw, 'vitest@5.1.1', '@types/node@22', `${newerNode}@22`])
    await consumer.link('typescript')
    await consumer.link('@typescript')
    await consumer.write('fixture.test.ts', code)
    await consumer.write('misspelled.ts', misspelled)
  })
  afterAll(() => consumer?.remove())

  test('the fixture and the matchers have types without skipLibCheck', async () => {
    const options = '--noEmit --strict --skipLibCheck false --module nodenext --target es2023'
    const libraries = '--lib es2023,dom,dom.iterable'
    const { stdout } = await consumer.run(
      `npx tsc ${options} ${libraries} fixture.test.ts misspelled.ts`,
    )
    expect(stdout).toBe('')
  })

  test('the fixture and the matchers work', async () => {
    const node = `node_modules/${newerNode}/bin/node`
    const { stdout, stderr } = await consumer.run(`${node} node_modules/vitest/vitest.mjs run`)
    expect(stderr).toBe('')
    expect(stdout).toContain('1 passed')
  })
})
