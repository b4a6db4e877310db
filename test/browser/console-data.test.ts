import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { World } from '../../src/index.js'
import type { PetInput } from '../../src/service/schemas.js'
import { appearances, findWithAxe, setAppearance } from './support/axe.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { press, see } from './support/console-view.js'
import { usePages } from './support/pages.js'
import { findFaint, findNameless, measureOverflow } from './support/readable.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

interface DataPage {
  readonly page: Page
  readonly messages: readonly string[]
  readonly apiKey: string
  readonly world: World
  /** The card of the pets. */
  readonly pets: Locator
}

/** Opens the data view with a separate key for each test. */
async function openData(label: string, scenario = 'default'): Promise<DataPage> {
  const apiKey = `sbx_free_${scenario}_${label}`
  const world = await site.sandbox.worldFor(apiKey)
  const { page, messages } = await open(`/#key=${apiKey}`)
  await page.evaluate(() => location.assign('#data'))
  const pets = page.getByRole('region', { name: 'Pets', exact: true })
  await pets.getByRole('row').nth(1).waitFor()
  return { page, messages, apiKey, world, pets }
}

/** Returns the accessible name of the focused element. */
const readFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
  })

const setQuantity = (apiKey: string, petId: number, quantity: number) =>
  site.send(`/v1/inventory/${petId}`, apiKey, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ quantity }),
  })

/** Lets the changes of pets wait until they are released. Returns those that the page has sent. */
async function holdChanges(page: Page) {
  const sent: (string | null)[] = []
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/sandbox/pets/*', async (route) => {
    sent.push(route.request().postData())
    await isReleased
    await route.continue()
  })
  return { sent, release }
}

/** Adds a pet with any fields. */
const addPet = (world: World, pet: object) => world.db.pets.add(pet as PetInput) // the world validates it

describe('in place', () => {
  test('name, quantity and status of a pet are changed', async () => {
    const { page, world } = await openData('place')
    await page.getByLabel('Quantity of Nemo').fill('3')
    await page.getByLabel('Quantity of Nemo').press('Enter')
    await see(page, 'Changed Nemo.')
    await page.getByLabel('Quantity of Nemo').press('ArrowUp')
    await page.getByLabel('Status of Nemo').selectOption('sold')
    await page.getByLabel('Name of Nemo').fill('Nemo II')
    await page.getByLabel('Name of Nemo').blur()
    await page.getByLabel('Name of Nemo II').waitFor()
    await expect
      .poll(() => world.db.pets.find('7'))
      .toMatchObject({ name: 'Nemo II', quantity: 4, status: 'sold' })
  })

  test('quantity, status and completion of an order are changed', async () => {
    const { page, world } = await openData('order-place')
    await page.getByLabel('Quantity of order 1003').fill('8')
    await page.getByLabel('Quantity of order 1003').press('Enter')
    await page.getByLabel('Status of order 1003').selectOption('delivered')
    // The row shows the box as it was until it has the order with the new status.
    await expect.poll(() => world.db.orders.find('1003')?.status).toBe('delivered')
    await page.getByLabel('Complete of order 1003').check()
    await expect
      .poll(() => world.db.orders.find('1003'))
      .toMatchObject({ quantity: 8, status: 'delivered', complete: true })
  })

  test('an invalid value stays with its error, and Escape discards it', async () => {
    const { page, world } = await openData('place-error')
    const input = page.getByLabel('Quantity of Nemo')
    await input.fill('many')
    await input.press('Enter')
    const note = page.getByText('quantity must be an integer, found "many" (string)')
    await note.waitFor()
    expect(await input.inputValue()).toBe('many')
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    expect(await note.getAttribute('id')).toBe(await input.getAttribute('aria-describedby'))
    await input.press('Escape')
    await note.waitFor({ state: 'detached' })
    expect(await input.inputValue()).toBe('40')
    expect(world.db.pets.find('7')).toMatchObject({ quantity: 40 })
  })

  test('a typed value is kept when the value changes elsewhere, and the user decides', async () => {
    const { page, apiKey, world } = await openData('typing')
    const input = page.getByLabel('Quantity of Nemo')
    await input.fill('3')
    await setQuantity(apiKey, 7, 77)
    world.db.pets.remove('1')
    await see(page, 'Changed elsewhere to 77. Enter saves yours, Escape discards it.')
    await page.getByLabel('Quantity of Bella').waitFor({ state: 'detached' })
    expect(await input.inputValue()).toBe('3')
    await input.blur()
    expect([await input.inputValue(), world.db.pets.find('7')?.quantity]).toEqual(['3', 77])
    await input.press('Enter')
    await see(page, 'Changed Nemo.')
    expect(world.db.pets.find('7')).toMatchObject({ quantity: 3 })
  })

  test('a negative quantity is accepted with a hint', async () => {
    const { page, world } = await openData('negative')
    const input = page.getByLabel('Quantity of Nemo')
    const hint = page.getByText('Accepted for tests: updateInventory rejects it by default.')
    await input.fill('-2')
    await hint.waitFor()
    await input.press('Enter')
    await see(page, 'Changed Nemo.')
    expect(world.db.pets.find('7')).toMatchObject({ quantity: -2 })
    await hint.waitFor({ state: 'detached' })
    await press(page, 'Edit Nemo')
    await page.getByRole('dialog').getByText('updateInventory rejects it').waitFor()
    await page.getByRole('dialog').getByLabel('Quantity').fill('2')
    await hint.waitFor({ state: 'detached' })
  })

  test('what is typed while a change is saved is not taken for a change elsewhere', async () => {
    const { page, world } = await openData('typing-on')
    const input = page.getByLabel('Quantity of Nemo')
    const { release } = await holdChanges(page)
    await input.fill('3')
    await input.press('Enter')
    await input.press('ArrowUp')
    release()
    await see(page, 'Changed Nemo.')
    expect(await input.inputValue()).toBe('4')
    expect(await page.getByText('Changed elsewhere').count()).toBe(0)
    await input.blur()
    await expect.poll(() => world.db.pets.find('7')?.quantity).toBe(4)
  })

  test('a change waits for the one before, whose response has the whole record', async () => {
    const { page, world } = await openData('order-of-changes')
    const { sent, release } = await holdChanges(page)
    await page.getByLabel('Quantity of Nemo').fill('3')
    await page.getByLabel('Quantity of Nemo').press('Enter')
    await expect.poll(() => sent).toEqual(['{"quantity":3}'])
    await page.getByLabel('Status of Nemo').selectOption('sold')
    // A request would have been sent before the page runs this.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(sent).toHaveLength(1)
    release()
    await expect.poll(() => world.db.pets.find('7')).toMatchObject({ quantity: 3, status: 'sold' })
    expect(sent[1]).toBe('{"status":"sold"}')
  })

  test('a typed value is offered again when its record is removed elsewhere', async () => {
    const { page, world } = await openData('gone')
    await page.getByLabel('Name of Nemo').fill('Nemo II')
    world.db.pets.remove('7')
    await see(page, 'Nemo was removed elsewhere while you changed it.')
    await press(page, 'Add again: Nemo')
    await page.getByLabel('Quantity of Nemo II').waitFor()
    expect(world.db.pets.find('7')).toMatchObject({
      name: 'Nemo II',
      quantity: 40,
      category: 'fish',
    })
  })
})

describe('the form', () => {
  test('changes every field of a pet, and adds and deletes additional fields', async () => {
    const { page, world, pets } = await openData('form')
    const petId = '9223372036854775807'
    addPet(world, { petId, name: 'Max', weightKg: 31.5, chip: { id: '1' }, note: null })
    await press(page, 'Edit Max')
    const dialog = page.getByRole('dialog', { name: 'Edit Max' })
    const json = dialog.getByLabel('Additional fields')
    expect(JSON.parse(await json.inputValue())).toEqual({
      weightKg: 31.5,
      chip: { id: '1' },
      note: null,
    })
    await dialog.getByLabel('Name').fill('Maxi')
    await dialog.getByLabel('Category').fill('fish')
    await dialog.getByLabel('Quantity').fill('-2')
    await dialog.getByLabel('Status').selectOption('pending')
    await dialog.getByLabel('Tags').fill('big\nslow')
    await dialog.getByLabel('Photo URLs').fill('https://images.petstore.example/1.jpg')
    await json.fill('{"chip": {"id": "2"}, "note": null, "ÿ": [1e3]}')
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
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
    await pets.getByLabel('Quantity of Maxi').waitFor()
    expect(await readFocus(page)).toBe('Edit Maxi')
  })

  test('changes every field of an order', async () => {
    const { page, world } = await openData('order-form')
    await press(page, 'Edit order 1003')
    const dialog = page.getByRole('dialog', { name: 'Edit order 1003' })
    await dialog.getByLabel('Pet id').fill('9223372036854775807')
    await dialog.getByLabel('Quantity').fill('5')
    await dialog.getByLabel('Ship date').fill('2030-01-31T09:00:00+02:00')
    await dialog.getByLabel('Status').selectOption('delivered')
    await dialog.getByLabel('Complete').check()
    await dialog.getByLabel('Additional fields').fill('{"gift": true}')
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    expect(world.db.orders.find('1003')).toEqual({
      id: '1003',
      petId: '9223372036854775807',
      quantity: 5,
      shipDate: '2030-01-31T09:00:00+02:00',
      status: 'delivered',
      complete: true,
      gift: true,
    })
  })

  test('adds a pet with a free id, and an order with additional fields', async () => {
    const { page, world } = await openData('add')
    await press(page, 'Add a pet…')
    await page.getByRole('dialog').getByLabel('Name').fill('Rex')
    await press(page, 'Add')
    await page.getByLabel('Quantity of Rex').waitFor()
    expect(world.db.pets.find('13')).toMatchObject({ name: 'Rex', quantity: 1, category: 'dog' })
    expect(await readFocus(page)).toBe('Add a pet…')
    await press(page, 'Add an order…')
    await page.getByRole('dialog').getByLabel('Pet id').fill('13')
    await page.getByRole('dialog').getByLabel('Additional fields').fill('{"note": null}')
    await press(page, 'Add')
    await page.getByLabel('Quantity of order 1006').waitFor()
    expect(world.db.orders.find('1006')).toMatchObject({
      petId: '13',
      status: 'placed',
      note: null,
    })
  })

  test('shows each error next to its field, and keeps what is typed', async () => {
    const { page, world } = await openData('form-errors')
    await press(page, 'Add a pet…')
    const dialog = page.getByRole('dialog', { name: 'Add a pet' })
    const [id, quantity, json] = ['Id', 'Quantity', 'Additional fields'].map((label) =>
      dialog.getByLabel(label),
    ) as [Locator, Locator, Locator] // of three labels
    await dialog.getByLabel('Name').fill('Rex')
    await id.fill('seven')
    await quantity.fill('1; 5')
    await json.fill('{"weightKg": 12345678901234567890}')
    await press(page, 'Add')
    await see(page, '12345678901234567890 would become 12345678901234567000')
    expect(await json.evaluate((element) => element === document.activeElement)).toBe(true)
    await json.fill('{"__proto__": 1}')
    await press(page, 'Add')
    await see(page, 'pets[0].__proto__ must be another name')
    expect(await json.getAttribute('aria-invalid')).toBe('true')
    await json.fill('{"weightKg": "12345678901234567890"}')
    await press(page, 'Add')
    const problem = dialog.getByText('quantity must be an integer, found "1; 5" (string)')
    await problem.waitFor()
    expect(await quantity.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'))
    expect(await dialog.getByText(/^petId must be an int64/).count()).toBe(1)
    expect(await id.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Rex')
    await quantity.fill('1')
    await id.fill('7')
    await press(page, 'Add')
    await see(page, 'a pet with the petId 7 already exists in this world')
    await id.fill('-7')
    await press(page, 'Add')
    await dialog.waitFor({ state: 'detached' })
    expect(world.db.pets.find('-7')).toMatchObject({ weightKg: '12345678901234567890' })
  })

  test('follows the changes of other clients, and lets the user decide about conflicts', async () => {
    const { page, apiKey, world } = await openData('conflict')
    await press(page, 'Edit Nemo')
    const dialog = page.getByRole('dialog')
    const quantity = dialog.getByLabel('Quantity')
    await quantity.fill('3')
    await dialog.getByLabel('Category').fill('clownfish')
    world.db.pets.change('7', { name: 'Nemo II', status: 'sold' })
    await setQuantity(apiKey, 7, 77)
    await see(page, 'Changed elsewhere to 77. Saving replaces it.')
    await page.getByRole('heading', { name: 'Edit Nemo II' }).waitFor()
    expect(await dialog.getByLabel('Status').inputValue()).toBe('sold')
    expect(await quantity.inputValue()).toBe('3')
    await press(page, 'Use the new value')
    expect(await quantity.inputValue()).toBe('77')
    await setQuantity(apiKey, 7, 78)
    await expect.poll(() => quantity.inputValue()).toBe('78')
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    expect(world.db.pets.find('7')).toMatchObject({
      name: 'Nemo II',
      status: 'sold',
      quantity: 78,
      category: 'clownfish',
    })
  })

  test('adds a record again that was removed elsewhere', async () => {
    const { page, world } = await openData('form-gone')
    addPet(world, { petId: 77, name: 'Max', weightKg: 0.25 })
    await press(page, 'Edit Max')
    await page.getByRole('dialog').getByLabel('Category').fill('clownfish')
    world.db.pets.remove('77')
    await see(page, 'Max was removed elsewhere. Add it again with these values, or cancel.')
    await press(page, 'Add it again')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(world.db.pets.find('77')).toMatchObject({ category: 'clownfish', weightKg: 0.25 })
  })

  test('has the focus before the next key is pressed', async () => {
    const { page } = await openData('at-once')
    const focused = await page.evaluate(async () => {
      document.querySelector<HTMLElement>('[data-row="7"] [data-control="edit"]')?.click()
      // Nothing is painted until then.
      await null
      return document.activeElement?.getAttribute('name')
    })
    expect(focused).toBe('name')
  })

  test('is closed with Escape, but not before a warning if something was changed', async () => {
    const { page, world } = await openData('escape')
    await press(page, 'Edit Nemo')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await readFocus(page)).toBe('Edit Nemo')
    await press(page, 'Edit Nemo')
    await page.getByRole('dialog').getByLabel('Quantity').fill('3')
    await page.keyboard.press('Escape')
    await see(page, 'Press Escape again to discard what you changed.')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(world.db.pets.find('7')).toMatchObject({ quantity: 40 })
  })
})

describe('a removal', () => {
  test('can be undone, also several of them, with all fields and exact ids', async () => {
    const { page, apiKey, world } = await openData('undo')
    const petId = '-9223372036854775808'
    addPet(world, { petId, name: 'Max', weightKg: 31.5, tags: ['a\nb'], chip: null })
    await page.getByLabel('Quantity of Max').waitFor()
    const before = [
      world.db.pets.find('7'),
      world.db.pets.find(petId),
      world.db.orders.find('1002'),
    ]
    await press(page, 'Remove Nemo')
    await press(page, 'Remove Max')
    await press(page, 'Remove order 1002')
    for (const name of ['Nemo', 'Max', 'order 1002']) await see(page, `Removed ${name}.`)
    expect([world.db.pets.count, world.db.orders.count]).toEqual([11, 4])
    // The notices of other actions do not replace it.
    await setQuantity(apiKey, 1, 9)
    await page.getByLabel('Quantity of Milo').press('ArrowUp')
    await page.getByLabel('Quantity of Milo').press('Enter')
    await press(page, 'Undo: Nemo')
    await press(page, 'Undo: Max')
    await press(page, 'Undo: order 1002')
    await page.getByText('Removed').first().waitFor({ state: 'detached' })
    expect([
      world.db.pets.find('7'),
      world.db.pets.find(petId),
      world.db.orders.find('1002'),
    ]).toEqual(before)
  })

  test('is shown until it is dismissed, or the world restarts', async () => {
    const { page, world } = await openData('dismiss')
    await press(page, 'Remove Nemo')
    await press(page, 'Remove Rio')
    await press(page, 'Dismiss: Nemo')
    await page.getByText('Removed Nemo.').waitFor({ state: 'detached' })
    await see(page, 'Removed Rio.')
    await page.evaluate(() => location.assign('#journal'))
    await page.getByText('Removed Rio.').waitFor({ state: 'detached' })
    await page.evaluate(() => location.assign('#data'))
    await see(page, 'Removed Rio.')
    world.reset()
    await page.getByText('Removed Rio.').waitFor({ state: 'detached' })
    await page.getByLabel('Quantity of Nemo').waitFor()
  })

  test('says why it cannot be undone, and is still there', async () => {
    const { page, world } = await openData('undo-fails')
    await press(page, 'Remove Nemo')
    await see(page, 'Removed Nemo.')
    world.db.pets.add({ petId: 7, name: 'Other' })
    await press(page, 'Undo: Nemo')
    await page.locator('.notice.error', { hasText: 'a pet with the petId 7 already' }).waitFor()
    await see(page, 'Removed Nemo.')
  })
})

describe('the focus', () => {
  test('moves to the next row after a removal, and to the restored row after an undo', async () => {
    const { page } = await openData('focus')
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Remove ${name}` }).focus()
      await page.keyboard.press('Enter')
      await see(page, `Removed ${name}.`)
    }
    await remove('Milo')
    expect(await readFocus(page)).toBe('Remove Luna')
    await remove('Bubbles')
    expect(await readFocus(page)).toBe('Remove Rio')
    await page.getByRole('button', { name: 'Undo: Milo' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Quantity of Milo').waitFor()
    await expect.poll(() => readFocus(page)).toBe('Edit Milo')
    const names = page.getByRole('button', { name: /^Edit (Bella|Milo|Luna)$/ })
    // In its former place, as long as the user works in the table.
    expect(await names.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))).toEqual([
      'Edit Bella',
      'Edit Milo',
      'Edit Luna',
    ])
  })

  test('moves to the button that adds a record after the removal of the last one', async () => {
    const { page, world } = await openData('focus-last')
    for (const { petId } of world.db.pets.list()) if (petId !== '7') world.db.pets.remove(petId)
    await page.getByLabel('Quantity of Bella').waitFor({ state: 'detached' })
    await press(page, 'Remove Nemo')
    await see(page, 'The store has no pets.')
    expect(await readFocus(page)).toBe('Add a pet…')
  })

  test('moves to the same control of the next row when its row is removed elsewhere', async () => {
    const { page, world } = await openData('focus-elsewhere')
    await page.getByLabel('Status of Milo').focus()
    world.db.pets.remove('2')
    await page.getByLabel('Status of Milo').waitFor({ state: 'detached' })
    expect(await readFocus(page)).toBe('Status of Luna')
  })

  test('is not taken back after the user has left the table', async () => {
    const { page, world } = await openData('focus-left')
    await page.getByLabel('Status of Milo').focus()
    await page.getByLabel('API key').focus()
    world.db.pets.remove('2')
    await page.getByLabel('Status of Milo').waitFor({ state: 'detached' })
    expect(await page.locator('#api-key:focus').count()).toBe(1)
  })

  test('stays on the pager on the last page, and in a row that no longer matches', async () => {
    const { page, pets } = await openData('focus-page', 'large-catalogue')
    await pets.getByLabel('Search pets').fill('499')
    await see(page, /^1–\d+ of \d+$/)
    const next = pets.getByRole('button', { name: 'Pets: next page' })
    await next.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await readFocus(page)).toBe('Pets: next page')
    await pets.getByLabel('Search pets').fill('')
    await pets.getByLabel('Status of the shown pets').selectOption('pending')
    const status = pets.getByLabel(/^Status of /).nth(2)
    const label = await status.getAttribute('aria-label')
    await status.focus()
    await status.selectOption('sold')
    await see(page, /^Changed /)
    expect(await readFocus(page)).toBe(label)
  })
})

describe('the keyboard', () => {
  test('sorts, edits, removes and restores without a mouse', async () => {
    const { page, world } = await openData('keyboard')
    await page.getByRole('button', { name: 'Add a pet…' }).focus()
    const tabTo = async (name: string) => {
      for (let pressed = 0; pressed < 60; pressed++) {
        if ((await readFocus(page)) === name) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`the Tab key does not reach ${name}`)
    }
    await tabTo('Name↕')
    await page.keyboard.press('Enter')
    await tabTo('Name of Bella')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Anna')
    await page.keyboard.press('Enter')
    // The buttons of the row are named after the saved record.
    await see(page, 'Changed Anna.')
    await tabTo('Edit Anna')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('hen')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(world.db.pets.find('1')).toMatchObject({ name: 'Anna', category: 'hen' })
    await tabTo('Remove Anna')
    await page.keyboard.press('Enter')
    await see(page, 'Removed Anna.')
    await tabTo('Undo: Anna')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('Edit Anna')
    expect(world.db.pets.count).toBe(12)
  })
})

describe('the tables', () => {
  test('follow requests, and changes with the control API by other clients', async () => {
    const { page, apiKey, world } = await openData('others')
    await setQuantity(apiKey, 7, 77)
    const quantity = page.getByLabel('Quantity of Nemo')
    await expect.poll(() => quantity.inputValue()).toBe('77')
    // Neither an entry of the journal, nor another number of pets.
    world.db.pets.change('7', { quantity: 78 })
    await expect.poll(() => quantity.inputValue()).toBe('78')
    world.db.orders.change('1003', { quantity: 9 })
    await expect.poll(() => page.getByLabel('Quantity of order 1003').inputValue()).toBe('9')
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

  test('of 5,000 pets show one page, and are not loaded again after an own change', async () => {
    const { page, pets, world } = await openData('many', 'large-catalogue')
    const loads: string[] = []
    page.on('request', (request) => {
      if (/\/sandbox\/pets\?limit=/.test(request.url())) loads.push(request.method())
    })
    await see(page, '1–20 of 5,000')
    await press(page, 'Pets: next page')
    await see(page, '21–40 of 5,000')
    const quantity = pets.getByLabel(/^Quantity of /).first()
    const label = await quantity.getAttribute('aria-label')
    await quantity.fill('999')
    await quantity.press('Enter')
    await see(page, `Changed ${label?.replace('Quantity of ', '')}.`)
    // The overview is read after the change, and every few seconds.
    await page.waitForResponse(/\/sandbox$/)
    await page.waitForResponse(/\/sandbox$/)
    expect(loads).toEqual([])
    const [{ petId = '' } = {}] = world.db.pets.list().slice(20)
    expect(world.db.pets.find(petId)).toMatchObject({ quantity: 999 })
    world.db.pets.change(petId, { quantity: 5 })
    await expect.poll(() => quantity.inputValue()).toBe('5')
    expect(loads).toEqual(['GET'])
  })
})

test('a long list is reloaded at intervals while other clients change it all the time', async () => {
  const { page, pets, apiKey, world } = await openData('traffic', 'large-catalogue')
  let loads = 0
  page.on('request', (request) => {
    if (/\/sandbox\/pets\?limit=/.test(request.url())) loads += 1
  })
  await see(page, '1–20 of 5,000')
  const [{ petId = '', name = '' } = {}] = world.db.pets.list()
  const startMs = performance.now()
  for (let quantity = 1; quantity <= 50; quantity++) {
    await setQuantity(apiKey, Number(petId), quantity)
    await page.waitForTimeout(50)
  }
  await expect.poll(() => pets.getByLabel(`Quantity of ${name}`).first().inputValue()).toBe('50')
  // A pause of 500 ms, and of 0.2 ms for each record.
  expect(loads).toBeLessThanOrEqual(1 + (performance.now() - startMs) / 1_500)
})

const long = 'x'.repeat(10_240)
const hostile = [
  '<img src=x onerror=alert(1)>',
  '\u202eevil\u2066',
  `"'\`;</script>`,
  '🐕‍🦺 e\u0301',
  'two\nlines',
  long,
  'constructor',
]

test.each(appearances)(
  'hostile strings in each field change neither the layout nor the page: %s, %s',
  async (...appearance) => {
    const { page, messages, world, apiKey } = await openData(`hostile-${appearance.join('-')}`)
    await setAppearance(page, appearance)
    hostile.forEach((text, at) => {
      const petId = 100 + at
      addPet(world, {
        petId,
        name: text,
        category: text,
        tags: [text],
        photoUrls: [text],
        [text]: text,
      })
      world.db.orders.add(
        Object({ id: petId, petId: '9223372036854775807', [text]: { [text]: text } }),
      )
    })
    for (const message of hostile) {
      await site.send('/quickstart/messages', apiKey, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ message }),
      })
    }
    await page.getByLabel('Name of constructor').waitFor()
    await see(page, 'Show all 10,240 characters')
    const check = async () => ({
      overflow: await measureOverflow(page),
      nameless: await findNameless(page),
      faint: await findFaint(page),
      images: await page.locator('main img').count(),
    })
    const clean = { overflow: 0, nameless: [], faint: [], images: 0 }
    expect(await check()).toEqual(clean)
    const rows = page.locator('[data-row]')
    const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThan(120)
    await page.getByRole('button', { name: 'Show all 10,240 characters' }).click()
    expect(await check()).toEqual(clean)
    await press(page, 'Remove constructor')
    for (const [at, text] of hostile.entries()) {
      await page
        .locator(`[data-row="${100 + at}"] [data-control="edit"]`)
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel('Name')
      if (text === 'constructor') break
      expect(await field.inputValue()).toBe(text)
      expect(await check()).toEqual(clean)
      await dialog.getByLabel('Quantity').fill(String(at))
      await press(page, 'Save')
      await dialog.waitFor({ state: 'detached' })
      expect(world.db.pets.find(String(100 + at))).toMatchObject({
        name: text,
        tags: [text],
        quantity: at,
        [text]: text,
      })
    }
    expect(messages).toEqual([])
  },
)

test.each(appearances)('axe finds nothing in the data view: %s, %s', async (...appearance) => {
  const { page } = await openData(`axe-${appearance.join('-')}`)
  await setAppearance(page, appearance)
  await press(page, 'Remove Bella')
  await see(page, 'Removed Bella.')
  await page.getByLabel('Quantity of Nemo').fill('x')
  await page.getByLabel('Quantity of Nemo').press('Enter')
  await see(page, 'quantity must be an integer')
  expect(await findWithAxe(page)).toEqual([])
  await press(page, 'Edit Nemo')
  await page.getByRole('dialog').getByLabel('Quantity').fill('x')
  await press(page, 'Save')
  await page.getByRole('dialog').getByText('quantity must be an integer').waitFor()
  expect(await findWithAxe(page)).toEqual([])
})

test('a long message is cut to three lines until the user shows all of it', async () => {
  const { page, apiKey } = await openData('message')
  await site.send('/quickstart/messages', apiKey, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: `first${'\nline'.repeat(2_000)}\nlast` }),
  })
  const all = page.getByRole('button', { name: 'Show all 10,010 characters' })
  await all.click()
  await page.getByRole('region', { name: /^All of msg_/ }).waitFor()
  await page.getByRole('button', { name: /^Show less/ }).click()
  await all.waitFor()
})
