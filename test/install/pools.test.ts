import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Consumer } from '../package/consumer.js'

const vitest = join(import.meta.dirname, '../../node_modules/.bin/vitest')
const project = 'test/package/project'

let consumer: Consumer
beforeAll(async () => {
  consumer = await Consumer.create()
  await consumer.link('vitest')
  await consumer.copy(project)
})
afterAll(() => consumer?.remove())

test.each([
  ['threads', project],
  // vitest cannot load Express in a vm.
  ['vmForks', `${project}/sandbox.test.js`],
])('the package works in vitest with --pool %s', async (pool, files) => {
  const options = `--root . --globals --maxWorkers 1 --pool ${pool}`
  const { code, stdout } = await consumer.run(`'${vitest}' run ${options} ${files}`)
  expect(stdout).toMatch(/Tests {2}[1-9]\d* passed/)
  expect(code).toBe(0)
})
