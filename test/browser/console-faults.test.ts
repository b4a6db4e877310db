import { describe, expect, test } from 'vitest'
import { findFlaws, twoAppearances } from './support/axe.js'
import { press, see, show, useConsole } from './support/console.js'

const { openView, send } = useConsole()

/** Opens the view of a separate world for each test. */
async function openFaults(label: string) {
  const opened = await openView('faults', label)
  await see(opened.page, 'This world has no faults.')
  return { ...opened, faults: opened.world.faults }
}

describe('the list of faults', () => {
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
    await send('/v1/inventory', apiKey)
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
  test('adds its fault, for all operations or for one, and is removed by the same button', async () => {
    const { page, faults } = await openFaults('presets')
    for (const [label, fault] of Object.entries(presets)) {
      const button = page.getByRole('button', { name: new RegExp(`^${label}`) })
      await button.click()
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
      expect(faults.list()).toEqual([fault])
      await button.click()
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
      expect(faults.list()).toEqual([])
    }
    await press(page, /^Fail the next request/)
    await expect.poll(() => faults.size).toBe(1)
    await page.getByLabel('For').selectOption('updateInventory')
    const button = page.getByRole('button', { name: /^Fail the next request/ })
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    await button.click()
    await see(page, 'updateInventory: The next request receives 503.')
    expect(faults.list()[1]).toMatchObject({ operation: 'updateInventory' })
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('region', { name: 'Faults' }).getByText('Clear', { exact: true }).click()
    await see(page, 'This world has no faults.')
    expect(faults.size).toBe(0)
  })

  test('is pressed until its fault is used up', async () => {
    const { page, apiKey } = await openFaults('used')
    const button = page.getByRole('button', { name: /^Down for 3/ })
    await button.click()
    await see(page, '3 more times')
    for (const status of [503, 503]) {
      expect((await send('/v1/inventory', apiKey)).status).toBe(status)
    }
    await see(page, 'once more, triggered 2 times')
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    // The one remaining use is not taken for the other preset.
    const other = page.getByRole('button', { name: /^Fail the next/ })
    expect(await other.getAttribute('aria-pressed')).toBe('false')
    expect((await send('/v1/inventory', apiKey)).status).toBe(503)
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
  })
})

describe('the form', () => {
  test('builds a sequence from buttons', async () => {
    const { page, faults } = await openFaults('sequence')
    await page.getByLabel('Kind of fault').selectOption('sequence')
    await press(page, 'Remove all steps')
    await press(page, 'Append the step: Error 429 with Retry-After')
    await press(page, 'Append the step: Let it pass')
    await press(page, 'Add')
    await expect.poll(() => faults.size).toBe(1)
    expect(faults.list()).toMatchObject([{ sequence: [{ status: 429 }, 'pass'] }])
    // The buttons are disabled while they would replace what is typed.
    await page.locator('[name="sequence"]').fill('["pass",')
    const append = page.getByRole('button', { name: /^Append/ }).first()
    expect(await append.isDisabled()).toBe(true)
  })

  test('shows errors beside their fields, and keeps what is typed in other views', async () => {
    const { page, faults } = await openFaults('errors')
    const field = (name: string) => page.locator(`[name="${name}"]`)
    const errorOf = (name: string) => page.locator('.field', { has: field(name) }).locator('.bad')
    await page.getByLabel('Kind of fault').selectOption('delay')
    await field('delayMs').fill('{"min":5,"max":1}')
    await field('match').fill('{"petId":"<img src=x onerror=alert(1)>"')
    await press(page, 'Add')
    await errorOf('match').filter({ hasText: 'match must be' }).waitFor()
    await errorOf('delayMs').filter({ hasText: 'delayMs' }).waitFor()
    expect(await field('match').getAttribute('aria-invalid')).toBe('true')
    expect(await field('rate').getAttribute('aria-invalid')).toBe('false')
    expect(faults.size).toBe(0)
    await show(page, 'data')
    await show(page, 'faults')
    expect(await field('delayMs').inputValue()).toBe('{"min":5,"max":1}')
    await field('delayMs').fill('5')
    await field('match').fill('')
    await press(page, 'Add')
    await expect.poll(() => faults.list()).toEqual([{ type: 'delay', delayMs: 5 }])
    await expect.poll(() => errorOf('match').allTextContents()).toEqual([''])
  })

  test('is used with the keyboard only', async () => {
    const { page, faults } = await openFaults('keyboard')
    await page.getByLabel('Kind of fault').focus()
    await page.keyboard.press('c')
    await page.locator('[name="phase"]').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await see(page, 'Connection reset (Phase after)')
    await page.getByRole('button', { name: /^Remove: / }).press('Enter')
    await see(page, 'This world has no faults.')
    expect(faults.size).toBe(0)
    // The button is gone; the focus stays in the card.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
      .toBe('Faults of this world')
  })
})

const hostile = `<script>window.hacked=1</script>"'&\u202e\u0000${'x'.repeat(10_000)}`

test('hostile faults fit, and have no flaws', async () => {
  const { page, faults } = await openFaults('hostile')
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
  expect(await findFlaws(page, twoAppearances)).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
})
