import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { World } from '../../src/index.js'
import type { PetInput } from '../../src/service/schemas.js'
import { findFlaws, twoAppearances } from './support/axe.js'
import { press, see, useConsole } from './support/console.js'

const { openView, send } = useConsole()

/** Opens the data view with a separate key for each test. */
async function openData(label: string, scenario = 'default') {
  const opened = await openView('data', label, `sbx_free_${scenario}`)
  const pets = opened.page.getByRole('region', { name: 'Pets', exact: true })
  await pets.getByRole('row').nth(1).waitFor()
  return { ...opened, pets }
}

/** Returns the accessible name of the focused element. */
const readFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
  })

const setQuantity = (apiKey: string, petId: number, quantity: number) =>
  send(`/v1/inventory/${petId}`, apiKey, { method: 'PATCH', json: { quantity } })

const sendMessage = (apiKey: string, message: string) =>
  send('/quickstart/messages', apiKey, { method: 'POST', json: { message } })

/** Adds a pet with any fields. */
const addPet = (world: World, pet: object) => world.db.pets.add(pet as PetInput) // the world validates it

/** Fills in fields of a dialog by their labels, and saves them. */
async function save(dialog: Locator, entries: Readonly<Record<string, string>>) {
  for (const [label, entry] of Object.entries(entries)) await dialog.getByLabel(label).fill(entry)
  await dialog.getByRole('button', { name: /^(Save|Add)$/ }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('in place', () => {
  test('pets and orders are changed', async () => {
    const { page, world } = await openData('place')
    await page.getByLabel('Quantity of Nemo').fill('3')
    await page.getByLabel('Quantity of Nemo').press('Enter')
    await see(page, 'Changed Nemo.')
    await page.getByLabel('Quantity of Nemo').press('ArrowUp')
    await page.getByLabel('Status of Nemo').selectOption('sold')
    await page.getByLabel('Name of Nemo').fill('Nemo II')
    await page.getByLabel('Name of Nemo').blur()
    await page.getByLabel('Name of Nemo II').waitFor()
    const pet = { name: 'Nemo II', quantity: 4, status: 'sold' }
    await expect.poll(() => world.db.pets.find('7')).toMatchObject(pet)
    await page.getByLabel('Quantity of order 1003').fill('8')
    await page.getByLabel('Status of order 1003').selectOption('delivered')
    await page.getByLabel('Complete of order 1003').check()
    const order = { quantity: 8, status: 'delivered', complete: true }
    await expect.poll(() => world.db.orders.find('1003')).toMatchObject(order)
  })

  test('an invalid value stays with its error, and Escape discards it', async () => {
    const { page, world } = await openData('place-error')
    const input = page.getByLabel('Quantity of Nemo')
    await input.fill('1.5')
    await input.press('Enter')
    const note = page.getByText('quantity must be an integer, found 1.5 (number)')
    await note.waitFor()
    expect(await input.inputValue()).toBe('1.5')
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    expect(await note.getAttribute('id')).toBe(await input.getAttribute('aria-describedby'))
    await input.press('Escape')
    await note.waitFor({ state: 'detached' })
    expect(await input.inputValue()).toBe('40')
    expect(world.db.pets.find('7')).toMatchObject({ quantity: 40 })
  })

  test('what is typed is kept when the table changes', async () => {
    const { page, apiKey, world } = await openData('typing')
    const input = page.getByLabel('Name of Nemo')
    await input.fill('Nemo II')
    await setQuantity(apiKey, 7, 77)
    world.db.pets.remove('1')
    await page.getByLabel('Quantity of Bella').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Quantity of Nemo').inputValue()).toBe('77')
    expect(await input.inputValue()).toBe('Nemo II')
    await input.press('Enter')
    await see(page, 'Changed Nemo II.')
    expect(world.db.pets.find('7')).toMatchObject({ name: 'Nemo II', quantity: 77 })
  })
})

describe('the form', () => {
  test('changes every field of a pet, and adds and deletes additional fields', async () => {
    const { page, world } = await openData('form')
    const petId = '9223372036854775807'
    addPet(world, { petId, name: 'Max', weightKg: 31.5, chip: { id: '1' }, note: null })
    await press(page, 'Edit Max')
    const dialog = page.getByRole('dialog', { name: 'Edit Max' })
    await dialog.getByLabel('Status').selectOption('pending')
    await save(dialog, {
      Name: 'Maxi',
      Category: 'fish',
      Quantity: '-2',
      Tags: 'big\nslow',
      'Photo URLs': 'https://images.petstore.example/1.jpg',
      'Additional fields': '{"chip": {"id": "2"}, "note": null, "ÿ": [1e3]}',
    })
    expect(world.db.pets.find(petId)).toEqual({
      petId,
      name: 'Maxi',
      category: 'fish',
      quantity: -2,
      status: 'pending',
      tags: ['big', 'slow'],
      photoUrls: ['https://images.petstore.example/1.jpg'],
      chip: { id: '2' },
      note: null,
      ÿ: [1000],
    })
    expect(await readFocus(page)).toBe('Edit Maxi')
  })

  test('closes with Escape, after a question if something was typed', async () => {
    const { page } = await openData('escape')
    const dialog = page.getByRole('dialog')
    await press(page, 'Edit Nemo')
    await dialog.getByLabel('Name').fill('Typed')
    page.once('dialog', (question) => question.dismiss())
    await page.keyboard.press('Escape')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed')
    page.once('dialog', (question) => question.accept())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await press(page, 'Edit Nemo')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Nemo')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('adds a pet with a free id, and an order with additional fields', async () => {
    const { page, world } = await openData('add')
    await press(page, 'Add a pet…')
    await save(page.getByRole('dialog'), { Name: 'Rex' })
    await page.getByLabel('Quantity of Rex').waitFor()
    expect(world.db.pets.find('13')).toMatchObject({ name: 'Rex', quantity: 1, category: 'dog' })
    expect(await readFocus(page)).toBe('Add a pet…')
    await press(page, 'Add an order…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Status').selectOption('delivered')
    await dialog.getByLabel('Complete').check()
    const order = { petId: '9223372036854775807', shipDate: '2030-01-31T09:00:00+02:00' }
    await save(dialog, {
      'Pet id': order.petId,
      Quantity: '5',
      'Ship date': order.shipDate,
      'Additional fields': '{"note": null}',
    })
    await page.getByLabel('Quantity of order 1006').waitFor()
    const others = { id: '1006', quantity: 5, status: 'delivered', complete: true, note: null }
    expect(world.db.orders.find('1006')).toEqual({ ...order, ...others })
  })

  test('shows each error beside its field, and keeps what is typed', async () => {
    const { page, world } = await openData('form-errors')
    await press(page, 'Add a pet…')
    const dialog = page.getByRole('dialog', { name: 'Add a pet' })
    const id = dialog.getByLabel('Id', { exact: true })
    const json = dialog.getByLabel('Additional fields')
    await id.fill('seven')
    await json.fill('[]')
    await press(page, 'Add')
    await see(page, 'This must be a JSON object.')
    expect(await json.evaluate((element) => element === document.activeElement)).toBe(true)
    await json.fill('{"weightKg": 31.5}')
    await press(page, 'Add')
    const problem = dialog.getByText(/^pets\[0\]\.petId must be|^petId must be/)
    await problem.waitFor()
    await see(page, /name is missing/)
    expect(await id.getAttribute('aria-describedby')).toContain(await problem.getAttribute('id'))
    expect(await id.evaluate((element) => element === document.activeElement)).toBe(true)
    await dialog.getByLabel('Name').fill('Rex')
    await id.fill('7')
    await press(page, 'Add')
    await see(page, 'a pet with the petId 7 already exists in this world')
    await id.fill('-7')
    await press(page, 'Add')
    await dialog.waitFor({ state: 'detached' })
    expect(world.db.pets.find('-7')).toMatchObject({ name: 'Rex', weightKg: 31.5 })
  })

  test('sends only what was changed, so that the changes of other clients stay', async () => {
    const { page, apiKey, world } = await openData('conflict')
    await press(page, 'Edit Nemo')
    const dialog = page.getByRole('dialog')
    await setQuantity(apiKey, 7, 77)
    await save(dialog, { Category: 'clownfish' })
    expect(world.db.pets.find('7')).toMatchObject({ quantity: 77, category: 'clownfish' })
    await press(page, 'Edit Nemo')
    await dialog.getByLabel('Category').fill('fish')
    world.db.pets.remove('7')
    await press(page, 'Save')
    await dialog.getByText(/does not exist|not found|no pet/i).waitFor()
  })
})

describe('a removal', () => {
  test('can be undone, also several of them, with all fields and exact ids', async () => {
    const { page, world } = await openData('undo')
    const petId = '-9223372036854775808'
    addPet(world, { petId, name: 'Max', weightKg: 31.5, tags: ['a\nb'], chip: null })
    await page.getByLabel('Quantity of Max').waitFor()
    const read = () => [
      world.db.pets.find('7'),
      world.db.pets.find(petId),
      world.db.orders.find('1002'),
    ]
    const before = read()
    await press(page, 'Remove Nemo')
    await see(page, /^Removed Nemo\./)
    await press(page, 'Remove Max')
    await see(page, /^Removed Max and 1 before\./)
    await press(page, 'Remove order 1002')
    await press(page, 'Undo: order 1002')
    await see(page, 'Restored order 1002. The service lists it last.')
    expect(read()).toEqual([undefined, undefined, before[2]])
    await press(page, 'Undo: Max')
    await press(page, 'Undo: Nemo')
    await page.getByText(/^Removed /).waitFor({ state: 'detached' })
    expect(read()).toEqual(before)
  })

  test('that cannot be undone stays, until it is dismissed or the world restarts', async () => {
    const { page, world, pets } = await openData('dismiss')
    await press(page, 'Remove Nemo')
    await see(page, /^Removed Nemo\./)
    world.db.pets.add({ petId: 7, name: 'Other' })
    await press(page, 'Undo: Nemo')
    await page.locator('.notice.error', { hasText: 'a pet with the petId 7 already' }).waitFor()
    await pets.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText(/^Removed Nemo/).waitFor({ state: 'detached' })
    await press(page, 'Remove Rio')
    await see(page, /^Removed Rio\./)
    world.reset()
    await page.getByText(/^Removed Rio/).waitFor({ state: 'detached' })
    await page.getByLabel('Quantity of Rio').waitFor()
  })

  test('can be undone although the overview arrives late', async () => {
    const { page } = await openData('late-overview')
    const loaded = page.waitForResponse(/\/sandbox\/pets/)
    await page.route(/\/sandbox$/, async (route) => {
      await loaded
      await route.continue()
    })
    await page.reload()
    await press(page, 'Remove Milo')
    await page.locator('.glance', { hasText: 'default' }).waitFor()
    await press(page, 'Undo: Milo')
    await page.getByLabel('Quantity of Milo').waitFor()
  })
})

describe('the focus', () => {
  test('stays in the card when its row is removed', async () => {
    const { page, world } = await openData('focus')
    await page.getByRole('button', { name: 'Remove Milo' }).press('Enter')
    await see(page, /^Removed Milo\./)
    expect(await readFocus(page)).toBe('Editor of pets')
    await page.getByRole('button', { name: 'Undo: Milo' }).press('Enter')
    await page.getByLabel('Quantity of Milo').waitFor()
    await expect.poll(() => readFocus(page)).toBe('Editor of pets')
    await page.getByLabel('Status of Bella').focus()
    world.db.pets.remove('1')
    await page.getByLabel('Status of Bella').waitFor({ state: 'detached' })
    expect(await readFocus(page)).toBe('Editor of pets')
    await page.getByLabel('API key').focus()
    world.db.pets.remove('3')
    await page.getByLabel('Status of Luna').waitFor({ state: 'detached' })
    expect(await page.locator('#api-key:focus').count()).toBe(1)
  })

  test('stays on a control whose row moves, and on the pager on the last page', async () => {
    const { page, pets } = await openData('focus-page', 'large-catalogue')
    // As in browsers in which a moved element loses the focus.
    await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'moveBefore'))
    await pets.getByRole('button', { name: 'Quantity' }).click()
    const quantities = pets.getByLabel(/^Quantity of /)
    const quantity = quantities.last()
    const label = await quantity.getAttribute('aria-label')
    await quantity.fill('-1')
    await quantity.press('Enter')
    await see(page, /^Changed /)
    expect(await quantities.first().getAttribute('aria-label')).toBe(label)
    expect(await readFocus(page)).toBe(label)
    await pets.getByLabel('Search pets').fill('499')
    await see(page, /^1–\d+ of \d+$/)
    const next = pets.getByRole('button', { name: 'Pets: next page' })
    for (let pressed = 0; pressed < 3; pressed++) await next.press('Enter')
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    expect(await readFocus(page)).toBe('Pets: next page')
  })

  test('reaches each control of a row with the Tab key, and the row is edited and removed', async () => {
    const { page, world } = await openData('keyboard')
    await page.getByRole('button', { name: 'Add a pet…' }).focus()
    const tabTo = async (name: string) => {
      for (let pressed = 0; pressed < 60; pressed++) {
        if ((await readFocus(page)) === name) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`the Tab key does not reach ${name}`)
    }
    await tabTo('Name ↕')
    await page.keyboard.press('Enter')
    await tabTo('Name of Bella')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Anna')
    await page.keyboard.press('Enter')
    // The buttons of the row are named after the saved record.
    await see(page, 'Changed Anna.')
    await tabTo('Remove Anna')
    await page.keyboard.press('Enter')
    await see(page, /^Removed Anna\./)
    expect(world.db.pets.find('1')).toBeUndefined()
  })
})

describe('the tables', () => {
  test('follow requests, and changes with the control API by other clients', async () => {
    const { page, apiKey, world } = await openData('others')
    const quantity = page.getByLabel('Quantity of Nemo')
    world.db.pets.change('7', { quantity: 75 })
    await expect.poll(() => quantity.inputValue()).toBe('75')
    // As many changes as before the restart.
    world.reset()
    world.db.pets.change('7', { quantity: 76 })
    await expect.poll(() => quantity.inputValue()).toBe('76')
    await setQuantity(apiKey, 7, 77)
    await expect.poll(() => quantity.inputValue()).toBe('77')
    // Neither an entry of the journal, nor another number of pets.
    world.db.pets.change('7', { quantity: 78 })
    await expect.poll(() => quantity.inputValue()).toBe('78')
    for (const { petId } of world.db.pets.list()) world.db.pets.remove(petId)
    await see(page, 'The store has no pets.')
  })

  test('are sorted by a column, searched and filtered', async () => {
    const { page, pets } = await openData('sort')
    const readNames = () =>
      pets
        .getByRole('textbox', { name: /^Name of / })
        .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
    const header = pets.getByRole('columnheader', { name: 'Quantity' })
    await header.getByRole('button').click()
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
    expect((await readNames()).at(-1)).toBe('Bubbles')
    await header.getByRole('button').click()
    expect(await header.getAttribute('aria-sort')).toBe('descending')
    expect((await readNames())[0]).toBe('Bubbles')
    await pets.getByLabel('Status of the shown pets').selectOption('pending')
    expect(await readNames()).toEqual(['Shelly', 'Luna'])
    await pets.getByLabel('Search pets').fill('LUN')
    expect(await readNames()).toEqual(['Luna'])
    await see(page, '1–1 of 1')
  })

  test('of another key do not show a change that was sent before', async () => {
    const { page } = await openData('slow')
    let proceed = () => {}
    const isShown = new Promise<void>((resolve) => {
      proceed = resolve
    })
    await page.route(/\/sandbox\/pets\/7$/, async (route) => {
      await isShown
      await route.continue()
    })
    const removed = page.waitForResponse(/\/sandbox\/pets\/7$/)
    await press(page, 'Remove Nemo')
    await page.getByLabel('API key').fill('sbx_free_low-stock_slow')
    await page.getByLabel('API key').press('Enter')
    await page.locator('.glance', { hasText: 'low-stock' }).waitFor()
    await page.getByLabel('Quantity of Nemo').waitFor()
    proceed()
    await (await removed).finished()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    expect(await page.getByLabel('Quantity of Nemo').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Undo: Nemo' }).count()).toBe(0)
  })

  test('show the last page when the rows of the shown one are removed', async () => {
    const { page, world } = await openData('last-page')
    for (let petId = 101; petId < 140; petId++) addPet(world, { petId, name: `Pet ${petId}` })
    await see(page, '1–25 of 51')
    await press(page, 'Pets: last page')
    await press(page, 'Remove Pet 139')
    await see(page, '26–50 of 50')
  })
})

const hostile = [
  '<img src=x onerror=alert(1)>',
  '\u202eevil\u2066',
  `"'\`;</script>`,
  '🐕‍🦺 e\u0301',
  'two\nlines',
  'x'.repeat(10_240),
  'constructor',
]

test('hostile strings fit, and have no flaws', async () => {
  const { page, messages, world, apiKey } = await openData('hostile')
  for (const [at, text] of hostile.entries()) {
    const texts = { name: text, category: text, tags: [text], photoUrls: [text], [text]: text }
    addPet(world, { petId: 100 + at, ...texts })
    world.db.orders.add(
      Object({ id: 100 + at, petId: '9223372036854775807', [text]: { [text]: text } }),
    )
    await sendMessage(apiKey, text)
  }
  await page.getByLabel('Name of constructor').waitFor()
  await page.getByText('(10,240 characters)').click()
  await page.setViewportSize({ width: 360, height: 800 })
  const rows = page.locator('.records [data-row]')
  const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(120)
  await press(page, 'Remove constructor')
  await see(page, /^Removed constructor/)
  await page.getByLabel('Quantity of two lines').fill('1.5')
  await page.getByLabel('Quantity of two lines').press('Enter')
  await see(page, 'quantity must be an integer')
  expect(await findFlaws(page, twoAppearances)).toEqual([])
  for (const [at, text] of hostile.slice(0, -1).entries()) {
    await page
      .locator(`[data-row="${100 + at}"]`)
      .first()
      .getByText('Edit…')
      .click()
    await save(page.getByRole('dialog'), { Quantity: String(at) })
    const texts = { name: text, tags: [text], quantity: at, [text]: text }
    expect(world.db.pets.find(String(100 + at))).toMatchObject(texts)
  }
  await press(page, 'Edit two lines')
  await page.getByLabel('Additional fields').fill('x')
  await press(page, 'Save')
  await see(page, 'This must be a JSON object.')
  expect(await findFlaws(page, twoAppearances)).toEqual([])
  expect(await page.locator('main img').count()).toBe(0)
  // The browser reports the response to the invalid quantity.
  expect(messages).toEqual([expect.stringContaining('400')])
})
