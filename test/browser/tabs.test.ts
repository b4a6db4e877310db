import { expect, test } from 'vitest'
import { readQuantity, reload, setQuantity, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

const { start } = usePages(openTestPage)

test('two tabs are isolated', async () => {
  const { page: first } = await start()
  const { page: second } = await start()
  await setQuantity(first, 1, 11)
  await setQuantity(second, 1, 22)
  expect(await readQuantity(first, 1)).toBe(11)
  expect(await readQuantity(second, 1)).toBe(22)

  await reload(first)
  expect(await readQuantity(first, 1)).toBe(11)
  await reload(second)
  expect(await readQuantity(second, 1)).toBe(22)
})

test('two tabs have different scenarios, and closing one does not affect the other', async () => {
  const { page: first } = await start({ scenario: 'low-stock' })
  const { page: second } = await start()
  expect(await readQuantity(first, 1)).toBe(1)
  await first.close()
  expect(await readQuantity(second, 1)).toBe(4)
})

test('a world opens no BroadcastChannel', async () => {
  const { page } = await start()
  const heard = page.evaluate(async () => {
    const opened: string[] = []
    const original = window.BroadcastChannel
    window.BroadcastChannel = class extends original {
      constructor(name: string) {
        super(name)
        opened.push(name)
      }
    }
    await window.petstoreSandbox?.worldFor('sbx_free_default_other')
    return { opened, isBack: new BroadcastChannel('mine').name }
  })
  expect(await heard).toEqual({ opened: ['mine'], isBack: 'mine' })
})
