import { expect, onTestFinished, test } from 'vitest'
import { Consumer, readMswVersion } from '../package/consumer.js'

// It crashes while it resolves a peer dependency on any version of vitest, even an optional one.
test('the npm of Node.js 20 installs the package', async () => {
  const consumer = await Consumer.create([`msw@${await readMswVersion()}`], 'npx --yes npm@10.8.2')
  onTestFinished(() => consumer.remove())
  const output = await consumer.runModule(`
    import { createSandbox } from 'petstore-sandbox'
    const sandbox = await createSandbox()
    console.log(sandbox.handlers.length > 0)`)
  expect(output).toBe('true\n')
})
