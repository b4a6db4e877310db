import { describe, expect, test } from 'vitest'
import { appearances, findWithAxe, setAppearance } from './support/axe.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { press, see, show } from './support/console-view.js'
import { usePages } from './support/pages.js'
import { measureOverflow } from './support/readable.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

/** Opens the view of a separate world for each test. */
async function openFaults(label: string) {
  const apiKey = `sbx_free_default_${label}`
  const { page } = await open(`/#key=${apiKey}`)
  await show(page, 'faults')
  await see(page, 'This world has no faults.')
  const { faults } = await site.sandbox.worldFor(apiKey)
  return { page, apiKey, faults }
}

describe('the list of faults', () => {
  test('shows how often a fault may still occur, and removes it', async () => {
    const { page, apiKey, faults } = await openFaults('list')
    await page.getByLabel('Kind of fault').selectOption('status')
    await page.locator('[name="status"]').fill('503')
    await page.locator('[name="atMost"]').fill('2')
    await press(page, 'Add')
    await see(page, 'Error status 503: every operation, 2 more times')
    expect((await site.send('/v1/inventory', apiKey)).status).toBe(503)
    await see(page, 'Error status 503: every operation, once more, triggered 1 time')
    await press(page, /^Remove: /)
    await see(page, 'This world has no faults.')
    expect(faults.size).toBe(0)
  })

  test('changes one fault, and not those that others add or use up meanwhile', async () => {
    const { page, apiKey, faults } = await openFaults('edit')
    faults.set([
      { type: 'delay', delayMs: 1, atMost: 1 },
      { type: 'reset', operation: 'getPet' },
      { type: 'status', status: 503, operation: 'updateInventory' },
    ])
    await see(page, 'Delay (Milliseconds 1): every operation, once more')
    await press(page, /^Edit: Error status 503/)
    await page.getByRole('heading', { name: 'Edit fault 3' }).waitFor()
    await page.locator('[name="status"]').fill('418')
    // The page does not know of these changes when it sends its own.
    let release = () => {}
    const changed = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/faults', async (route) => {
      await changed
      await route.continue()
    })
    await press(page, 'Save')
    await site.send('/v1/inventory', apiKey)
    faults.add({ type: 'truncate', operation: 'listOrders' })
    release()
    await see(page, 'Changed fault 3.')
    expect(faults.list()).toEqual([
      { type: 'reset', operation: 'getPet' },
      { type: 'status', status: 418, operation: 'updateInventory' },
      { type: 'truncate', share: 0.5, operation: 'listOrders' },
    ])
    await page.getByRole('heading', { name: 'Add a fault' }).waitFor()
  })

  test('does not bring back a fault that is gone', async () => {
    const { page, faults } = await openFaults('gone')
    faults.set([
      { type: 'status', status: 503 },
      { type: 'reset', operation: 'getPet' },
    ])
    await press(page, /^Edit: Error status 503/)
    faults.set([{ type: 'reset', operation: 'getPet' }])
    await press(page, 'Save')
    await see(page, 'the fault is used up, or was removed elsewhere')
    expect(faults.size).toBe(1)
    // What was typed can still be added.
    await press(page, 'Cancel')
    await press(page, 'Add')
    await expect.poll(() => faults.size).toBe(2)
  })
})

const presets = {
  'Down for 3 requests': { type: 'status', status: 503, atMost: 3 },
  Slow: { type: 'delay', delayMs: 2000 },
  '20 % errors': { type: 'status', status: 503, rate: 0.2 },
  'Fail the next request': { type: 'status', status: 503, atMost: 1 },
  'Break the next connection': { type: 'reset', atMost: 1 },
  'Lose the next response': { type: 'reset', phase: 'after', atMost: 1 },
  'Truncate the next response': { type: 'truncate', share: 0.5, atMost: 1 },
}

describe('a preset', () => {
  test('adds its fault once, and is removed by the same button', async () => {
    const { page, faults } = await openFaults('presets')
    for (const [label, fault] of Object.entries(presets)) {
      const button = page.getByRole('button', { name: new RegExp(`^${label}`) })
      await button.click()
      await expect.poll(() => faults.list()).toEqual([fault])
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
      await button.click()
      await expect.poll(() => faults.list()).toEqual([])
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
    }
  })

  test('is for one operation, if the user selects one', async () => {
    const { page, faults } = await openFaults('operation')
    await press(page, /^Fail the next request/)
    await expect.poll(() => faults.size).toBe(1)
    await page.getByLabel('For').selectOption('updateInventory')
    const button = page.getByRole('button', { name: /^Fail the next request/ })
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    await button.click()
    await see(page, 'updateInventory: The next request receives 503.')
    const fault = { type: 'status', status: 503, atMost: 1 }
    expect(faults.list()).toEqual([fault, { ...fault, operation: 'updateInventory' }])
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
    await button.click()
    await see(page, 'Removed: updateInventory: Fail the next request.')
    expect(faults.list()).toEqual([fault])
    const list = page.getByRole('region', { name: 'Faults' })
    await list.getByRole('button', { name: 'Clear' }).click()
    await see(page, 'This world has no faults.')
    expect(faults.size).toBe(0)
  })

  test('is pressed until its fault is used up', async () => {
    const { page, apiKey } = await openFaults('used')
    const button = page.getByRole('button', { name: /^Down for 3/ })
    await button.click()
    await see(page, '3 more times')
    for (const status of [503, 503]) {
      expect((await site.send('/v1/inventory', apiKey)).status).toBe(status)
    }
    await see(page, 'once more, triggered 2 times')
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    // The one remaining use is not taken for the other preset.
    const other = page.getByRole('button', { name: /^Fail the next/ })
    expect(await other.getAttribute('aria-pressed')).toBe('false')
    expect((await site.send('/v1/inventory', apiKey)).status).toBe(503)
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
    expect((await site.send('/v1/inventory', apiKey)).status).toBe(200)
  })

  test('is available in the overview, too', async () => {
    const { page, faults } = await openFaults('overview')
    await show(page, 'overview')
    await press(page, '20 % errors')
    await see(page, 'Error status 503: every operation, 20 % of requests')
    expect(faults.size).toBe(1)
    await page.getByRole('link', { name: 'All kinds of fault' }).click()
    await page.locator('.page[data-view="faults"]').waitFor()
  })
})

describe('the form', () => {
  test('has the documented fields of each kind of fault', async () => {
    const { page } = await openFaults('kinds')
    const kind = page.getByLabel('Kind of fault')
    expect(await kind.locator('option').allTextContents()).toHaveLength(5)
    await kind.selectOption('status')
    expect(await page.locator('[name="status"]').getAttribute('max')).toBe('599')
    await kind.selectOption('delay')
    const delay = page.locator('[name="delayMs"]')
    await delay.fill('{"min":100,"max":400}')
    await page.locator('[name="phase"]').selectOption('after')
    await page.locator('[name="match"]').fill('{"petId":7}')
    await press(page, 'Add')
    await see(page, /Delay \(Milliseconds .*, Phase after\): every operation, with {"petId":7}/)
    await kind.selectOption('truncate')
    await delay.waitFor({ state: 'detached' })
    expect(await page.locator('[name="share"]').getAttribute('placeholder')).toBe('0.5')
  })

  test('builds a sequence from buttons', async () => {
    const { page, apiKey, faults } = await openFaults('sequence')
    await page.getByLabel('Kind of fault').selectOption('sequence')
    await press(page, 'Remove all steps')
    await press(page, 'Append the step: Error 429 with Retry-After')
    await press(page, 'Append the step: Let it pass')
    await press(page, 'Append the step: Error 503')
    await press(page, 'Add')
    await expect.poll(() => faults.size).toBe(1)
    const statuses = []
    for (let sent = 0; sent < 4; sent++) {
      statuses.push((await site.send('/v1/inventory', apiKey)).status)
    }
    expect(statuses).toEqual([429, 200, 503, 200])
    // The buttons are disabled while they would replace what is typed.
    await page.locator('[name="sequence"]').fill('["pass",')
    expect(
      await page
        .getByRole('button', { name: /^Append/ })
        .first()
        .isDisabled(),
    ).toBe(true)
  })

  test('shows errors beside their fields, and keeps what is typed in other views', async () => {
    const { page, faults } = await openFaults('errors')
    await page.getByLabel('Kind of fault').selectOption('delay')
    await page.locator('[name="delayMs"]').fill('{"min":5,"max":1}')
    await page.locator('[name="match"]').fill('{"petId":"<img src=x onerror=alert(1)>"')
    await press(page, 'Add')
    const match = page.locator('.field', { has: page.locator('[name="match"]') })
    await match.locator('.bad', { hasText: 'match must be' }).waitFor()
    const delay = page.locator('.field', { has: page.locator('[name="delayMs"]') })
    await delay.locator('.bad', { hasText: 'delayMs' }).waitFor()
    expect(await page.locator('[name="match"]').getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('[name="rate"]').getAttribute('aria-invalid')).toBe('false')
    expect(faults.size).toBe(0)
    await show(page, 'data')
    await show(page, 'faults')
    expect(await page.locator('[name="delayMs"]').inputValue()).toBe('{"min":5,"max":1}')
    await page.locator('[name="delayMs"]').fill('5')
    await page.locator('[name="match"]').fill('')
    await press(page, 'Add')
    await expect.poll(() => faults.list()).toEqual([{ type: 'delay', delayMs: 5 }])
    await expect.poll(() => match.locator('.bad').allTextContents()).toEqual([''])
  })

  test('is used with the keyboard only', async () => {
    const { page, faults } = await openFaults('keyboard')
    await page.getByLabel('Kind of fault').focus()
    await page.keyboard.press('c')
    await page.locator('[name="phase"]').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add', exact: true }).focus()
    await page.keyboard.press('Enter')
    await see(page, 'Connection reset (Phase after)')
    await page.getByRole('button', { name: /^Remove: / }).focus()
    await page.keyboard.press('Enter')
    await see(page, 'This world has no faults.')
    expect(faults.size).toBe(0)
    // The button is gone; the focus stays in the card.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
      .toBe('Faults of this world')
  })
})

const hostile = `<script>window.hacked=1</script>"'&\u202e\u0000${'x'.repeat(10_000)}`

test.each(appearances)('hostile faults fit, and axe finds nothing: %s, %s', async (...look) => {
  const { page, faults } = await openFaults(`hostile-${look.join('-')}`)
  await setAppearance(page, look)
  faults.set([
    { type: 'status', status: 503, message: hostile },
    { type: 'delay', delayMs: 1, match: { body: { [hostile.slice(0, 200)]: hostile } } },
    { sequence: ['pass', { status: 500, message: hostile }] },
  ])
  await see(page, /Sequence/)
  await press(page, /^Edit: Sequence/)
  await page.getByRole('heading', { name: 'Edit fault 3' }).waitFor()
  await page.locator('[name="match"]').fill(hostile)
  await press(page, 'Save')
  await page.locator('.field .bad', { hasText: 'match must be' }).waitFor()
  expect(await measureOverflow(page)).toBe(0)
  expect(await findWithAxe(page)).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
})
