import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('an evicted world is released, also if its key was used', async () => {
  const maxWorlds = 4
  const sandbox = await createSandbox({ maxWorlds })
  const references: WeakRef<object>[] = []
  for (let index = 0; index < 40; index++) {
    references.push(new WeakRef(await sandbox.worldFor(`sbx_free_default_w${index}`)))
  }
  // A WeakRef keeps its target until the current job ends.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  const retained = references.filter((reference) => reference.deref() !== undefined)
  expect(retained.length).toBeLessThanOrEqual(maxWorlds)
})
