import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { builtInScenarios } from '../../src/world/scenario/library.js'
import { findFlaws, twoAppearances } from './support/axe.js'
import { copy, press, save, see, show, useConsole } from './support/console.js'

const { openView } = useConsole()

/** Opens the view of a separate world for each test. */
async function openScenarios(label: string) {
  const opened = await openView('scenarios', label)
  await opened.page.getByRole('button', { name: 'Start low-stock' }).waitFor()
  return opened
}

const editor = (page: Page) => page.getByLabel('Scenario as JSON')

/** Opens a document in the editor. */
async function load(page: Page, text: string, name = 'mine.json'): Promise<void> {
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.getByLabel('Open a file').setInputFiles(file)
}

/** Drags a file over the page and drops it. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content], name))
      return data
    },
    [name, content] as const,
  )
  for (const type of ['dragenter', 'dragover']) {
    await page.dispatchEvent('main', type, { dataTransfer })
  }
  await see(page, 'Drop a scenario file to open it in the editor')
  await page.dispatchEvent('main', 'drop', { dataTransfer })
  await page.locator('.drop-target').waitFor({ state: 'detached' })
}

describe('the list of scenarios', () => {
  test('shows all scenarios at once, and starts one with one click', async () => {
    const { page, world } = await openScenarios('one')
    const cards = page.locator('.scenario-grid > li')
    expect(await cards.count()).toBe(builtInScenarios.length)
    await press(page, 'Start low-stock')
    await see(page, 'Started low-stock.')
    expect(world.scenario).toBe('low-stock')
    await cards.filter({ hasText: 'low-stock' }).getByText('running').waitFor()
    expect(await page.getByText('running', { exact: true }).count()).toBe(1)
  })

  test('undoes a start and a reset, and redoes them', async () => {
    const { page, world } = await openScenarios('undo')
    world.db.pets.remove('7')
    await press(page, 'Start empty-store')
    await see(page, 'Started empty-store.')
    expect(world.db.pets.count).toBe(0)
    await press(page, 'Undo')
    await see(page, 'The state of default is back.')
    expect([world.scenario, world.db.pets.count]).toEqual(['restored', 11])
    await press(page, 'Undo')
    await see(page, 'The state of empty-store is back.')
    expect(world.db.pets.count).toBe(0)
    await press(page, 'Dismiss the previous state')
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await world.use('default')
    world.db.pets.remove('7')
    await show(page, 'overview')
    await page.locator('.card-head .mark', { hasText: 'default' }).waitFor()
    await press(page, 'Reset this world')
    await see(page, 'Reset to the start of default.')
    expect(world.db.pets.count).toBe(12)
    // What can be undone is kept while other views are shown.
    await show(page, 'data')
    await show(page, 'scenarios')
    await press(page, 'Undo')
    await see(page, 'The state of default is back.')
    expect(world.db.pets.count).toBe(11)
  })

  test('merges scenarios in the order of their selection', async () => {
    const { page, world } = await openScenarios('merge')
    await press(page, 'Combine…')
    await page.getByRole('checkbox', { name: 'Combine flaky' }).check()
    await page.getByRole('checkbox', { name: 'Combine low-stock' }).check()
    await press(page, 'Start flaky + low-stock')
    await see(page, 'Started flaky + low-stock.')
    expect(world.scenario).toBe('flaky+low-stock')
    expect(world.snapshot().faults).not.toEqual([])
    await expect.poll(() => page.getByText('running', { exact: true }).count()).toBe(2)
  })
})

describe('the editor', () => {
  test('starts the world from its changed state', async () => {
    const { page, world } = await openScenarios('edit')
    await press(page, 'Edit the running state')
    await editor(page).waitFor()
    const text = await editor(page).inputValue()
    expect(JSON.parse(text)).toMatchObject({ name: 'snapshot', pets: expect.any(Array) })
    await editor(page).fill(text.replace('"Nemo"', '"Marlin"'))
    await press(page, 'Start from it')
    await see(page, 'Started the running state of default.')
    expect(world.db.pets.find('7')).toMatchObject({ name: 'Marlin' })
    await press(page, 'Undo')
    await see(page, 'The state of default is back.')
    expect(world.db.pets.find('7')).toMatchObject({ name: 'Nemo' })
  })

  test('keeps an int64 exact', async () => {
    const { page, world } = await openView('scenarios', 'edited', 'sbx_free_int64-ids')
    await press(page, 'Edit the running state')
    await expect.poll(() => editor(page).inputValue()).toContain('"9223372036854775807"')
    await press(page, 'Start from it')
    await see(page, 'Started the running state of int64-ids.')
    expect(world.db.pets.find('9223372036854775807')).toBeDefined()
  })

  test('shows syntax errors on their lines while the user types', async () => {
    const { page, world } = await openScenarios('syntax')
    await press(page, 'Write a scenario')
    await editor(page).fill('{\n  "name": "mine",\n  "seed": 1,\n  "seed": 2,\n}')
    await see(page, 'expected a name in double quotes after the comma, found "}"')
    expect(await page.locator('.line-numbers .error').textContent()).toBe('5')
    await press(page, 'Start from it')
    expect(world.scenario).toBe('default')
    await editor(page).fill('{\n  "name": "mine",\n  "seed": 1,\n  "seed": 2\n}')
    await see(page, '"seed" is stated twice in the same object; the last one counts')
    expect(await page.locator('.line-numbers .warning').textContent()).toBe('4')
    expect(await page.locator('.line-numbers .error').count()).toBe(0)
    // A warning does not prevent the start.
    await press(page, 'Start from it')
    await see(page, 'Started a new scenario.')
    expect(world.seed.seed).toBe(2)
  })

  test('shows schema errors on their lines, and jumps to them', async () => {
    const { page, world } = await openScenarios('schema')
    const pets = Array.from({ length: 60 }, (_, at) => `    {"petId": ${at + 1}, "name": "P"}`)
    pets[9] = '    {"petId": 10, "name": "P", "quantity": 0.5}'
    pets[49] = '    {"petId": 50, "nome": "P"}'
    await load(page, `{\n  "name": "mine",\n  "pets": [\n${pets.join(',\n')}\n  ]\n}`)
    await press(page, 'Start from it')
    await see(page, 'pets[9].quantity must be an integer')
    // The first error is selected at once.
    const selected = () =>
      editor(page).evaluate((area) => {
        const { value, selectionStart, selectionEnd } = area as HTMLTextAreaElement
        return value.slice(selectionStart, selectionEnd)
      })
    expect(await selected()).toBe('"quantity": 0.5')
    expect(await page.locator('.line-numbers .error').first().textContent()).toBe('13')
    await page.getByRole('button', { name: 'Line 53' }).first().click()
    expect(['"nome": "P"', '{"petId": 50, "nome": "P"}']).toContain(await selected())
    expect(world.scenario).toBe('default')
    // The errors move with the text until the next start.
    await editor(page).evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(0, 0))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Line 54' }).first().waitFor()
  })

  test('keeps what is typed in other views, after a reload, and until the user discards it', async () => {
    const { page } = await openScenarios('kept')
    await press(page, 'Write a scenario')
    await editor(page).fill('{ "name": "typed" ')
    await show(page, 'data')
    await show(page, 'scenarios')
    expect(await editor(page).inputValue()).toBe('{ "name": "typed" ')
    await page.reload()
    await expect.poll(() => editor(page).inputValue()).toBe('{ "name": "typed" ')
    page.once('dialog', (dialog) => dialog.dismiss())
    await press(page, 'Write a scenario')
    expect(await editor(page).inputValue()).toBe('{ "name": "typed" ')
    page.once('dialog', (dialog) => dialog.accept())
    await load(page, '{"name":"other"}')
    await expect.poll(() => editor(page).inputValue()).toBe('{"name":"other"}')
  })

  test('does not show a document that is too large, and says why', async () => {
    const { page, world } = await openScenarios('large')
    await press(page, 'Start large-catalogue')
    await see(page, 'Started large-catalogue.')
    await press(page, 'Edit the running state')
    await see(page, 'A text field of this size makes the page slow')
    expect(await editor(page).count()).toBe(0)
    const { content: text } = await save(page, 'Save as scenario.json')
    expect(JSON.parse(text).pets).toHaveLength(5_000)
    await load(page, text, 'large.json')
    await page.locator('.origin', { hasText: 'large.json' }).waitFor()
    await press(page, 'Start from it')
    await see(page, 'Started large.json.')
    expect([world.scenario, world.db.pets.count]).toEqual(['snapshot', 5_000])
  })

  test('is used with the keyboard only', async () => {
    const { page, world } = await openScenarios('keyboard')
    await page.getByRole('button', { name: 'Write a scenario' }).focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => editor(page).evaluate((area) => area === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('{"name":"typed","seed":-0.5}')
    // The Tab key leaves the editor.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await see(page, 'seed must be')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('{"name":"typed","seed":5}')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Line 1')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await see(page, 'Started a new scenario.')
    expect(world.scenario).toBe('typed')
  })
})

describe('a file that is dropped on the page', () => {
  test('is opened in the editor from any view, and started with one click', async () => {
    const { page, world } = await openScenarios('drop')
    await show(page, 'try')
    await drop(page, 'mine.json', '\uFEFF{"name":"mine",\r\n"extends":"low-stock"}')
    await page.locator('.page[data-view="scenarios"]').waitFor()
    expect(await editor(page).inputValue()).toBe('{"name":"mine",\n"extends":"low-stock"}')
    // The list above is loaded first, so that the editor stays in sight.
    await expect.poll(() => editor(page).evaluate((area) => area.matches(':focus'))).toBe(true)
    await press(page, 'Start from it')
    await see(page, 'Started mine.json.')
    expect(world.scenario).toBe('mine')
  })

  test('is not opened if it is larger than 8 MiB', async () => {
    const { page } = await openScenarios('drop-errors')
    await drop(page, 'large.json', ' '.repeat(8 * 1024 * 1024 + 1))
    await see(page, 'The file was not opened: large.json is larger than 8 MiB.')
  })
})

test('a snapshot is copied as JSON and saved as a file, and a world starts from it', async () => {
  const { page, world } = await openScenarios('snapshot')
  world.db.pets.remove('7')
  world.clock.freeze()
  const copied = await copy(page, 'Copy as JSON', 'Copied the snapshot as JSON.')
  expect(JSON.parse(copied)).toEqual(world.snapshot())
  await page.getByLabel('Name').fill('no-nemo')
  const { name, path } = await save(page, 'Save as no-nemo.json')
  expect(name).toBe('no-nemo.json')
  await world.use('default')
  await page.getByLabel('Open a file').setInputFiles(path)
  await press(page, 'Start from it')
  await see(page, /^Started .*\.$/)
  expect([world.scenario, world.db.pets.count]).toEqual(['no-nemo', 11])
})

test('hostile documents fit, and have no flaws', async () => {
  const { page } = await openScenarios('hostile')
  const hostile = `<script>window.hacked=1</script>"'&\u202e${'x'.repeat(10_000)}`
  await page.route('**/scenarios', async (route) => {
    const added = { name: 'x'.repeat(64), description: hostile, source: 'file' }
    const response = await route.fetch()
    await route.fulfill({ response, json: [...(await response.json()), added] })
  })
  await press(page, 'Start low-stock')
  await page.locator('.scenario-grid').getByText('file', { exact: true }).waitFor()
  const scenario = { name: 'mine', [hostile]: 1, description: hostile, pets: [{ name: hostile }] }
  await load(page, JSON.stringify(scenario, null, 2), `${'<b>'.repeat(40)}.json`)
  await press(page, 'Start from it')
  await page.locator('.problems .error').first().waitFor()
  await press(page, 'Combine…')
  expect(await findFlaws(page, twoAppearances)).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
})
