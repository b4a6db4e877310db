import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { viewIds } from '../../src/console/routing/route.js'
import { press, see, show, useConsole } from './support/console.js'
import { findCutOff, measureOverflow } from './support/readable.js'

const { open, send } = useConsole()

const longLabel = 'L'.repeat(64)
const longName = 'a-scenario-with-a-name-of-the-maximum-length-that-does-not-break'

// 640 px is a window of 1280 px at a zoom of 200 %.
test.each([1280, 640, 360, 320])(
  'at %i px, nothing is cut off in any view, notice and dialog of a world with long values',
  async (width) => {
    const apiKey = `sbx_enterprise_default_${width}${longLabel.slice(String(width).length)}`
    const json = { name: longName, pets: [{ petId: 1, name: 'x'.repeat(64) }] }
    await send('/sandbox/scenario', apiKey, { method: 'PUT', json })
    await send('/v1/pets/404', apiKey)
    await send(`/v1/pets/${'9'.repeat(120)}`, apiKey)
    const { page } = await open(`/#key=${apiKey}`)
    await page.setViewportSize({ width, height: 740 })
    await page.locator('.glance', { hasText: longName }).waitFor()
    const found: Record<string, unknown> = {}
    const check = async (name: string) => {
      found[name] = [await measureOverflow(page), ...(await findCutOff(page))]
    }
    for (const view of viewIds) {
      await show(page, view)
      await check(view)
    }
    await show(page, 'overview')
    await press(page, 'Ban for 5 min')
    await see(page, 'The key is banned until')
    await check('ban')
    await press(page, 'New key…')
    await page.getByRole('dialog').getByText('twelve pets').waitFor()
    await check('dialog')
    await page.keyboard.press('Escape')
    await page.getByLabel('API key').fill(`sbx_free_${longName}_${longLabel}`)
    await page.keyboard.press('Enter')
    await see(page, 'The API key is not valid')
    await check('invalid key')
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, [0]])))
  },
)

test('in a low window, nothing stays above the journal', async () => {
  const { page } = await open('/#reference')
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.mouse.move(200, 200)
  // Repeated, because the page is short until the reference is loaded.
  const scroll = async () => {
    await page.mouse.wheel(0, 1_500)
    return (await page.locator('.journal').boundingBox())?.y
  }
  await expect.poll(scroll).toBe(16)
})

test('the check of cut-off texts finds them', async () => {
  const { page } = await open()
  await page.locator('main .card').first().waitFor()
  await page.evaluate(() => {
    const style = 'width: 5rem; white-space: nowrap; overflow-x:'
    for (const overflow of ['hidden', 'auto', 'visible']) {
      const element = document.createElement('p')
      element.textContent = `${overflow}${' a long text'.repeat(50)}`
      element.style.cssText = style + overflow
      document.body.append(element)
    }
  })
  expect((await findCutOff(page)).map((text) => text.replace(/ a long.*text/, ''))).toEqual([
    expect.stringMatching(/^hidden.* is cut off$/),
    expect.stringMatching(/^auto.* must be scrolled sideways$/),
    expect.stringMatching(/^visible.* is outside of the page$/),
  ])
})

describe('the keyboard', () => {
  /** Describes the focused element, and whether a user sees that it has the focus. */
  const readFocus = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return undefined
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      const isOnTop = top !== null && (element.contains(top) || top.contains(element))
      return {
        name: element.getAttribute('aria-label') || element.textContent || element.outerHTML,
        isMarked: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
        isSeen: isOnTop && box.bottom > 0 && box.top < innerHeight,
        position: Array.from(document.querySelectorAll('*')).indexOf(element),
      }
    })

  test.each([1280, 360])(
    'walks through each view at %i px in order, and out of it',
    async (width) => {
      const { page } = await open('/#key=sbx_free_default_keyboard')
      await page.setViewportSize({ width, height: 740 })
      await send('/v1/inventory', 'sbx_free_default_keyboard')
      const unseen: string[] = []
      for (const view of viewIds) {
        await show(page, view)
        await page.reload()
        await page.locator('.glance', { hasText: 'default' }).waitFor()
        const positions: number[] = []
        for (let pressed = 0; pressed < 200; pressed++) {
          await page.keyboard.press('Tab')
          const focus = await readFocus(page)
          // After the last control, the focus leaves the page, or starts again.
          if (!focus || (positions.length > 1 && focus.position === positions[0])) break
          if (!focus.isMarked || !focus.isSeen) unseen.push(`${view}: ${JSON.stringify(focus)}`)
          positions.push(focus.position)
        }
        expect(positions.length).toBeGreaterThan(5)
        expect(positions.length).toBeLessThan(200)
        expect(positions).toEqual(positions.toSorted((a, b) => a - b))
      }
      expect(unseen).toEqual([])
    },
  )

  test('skips to the content', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'One request left' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page.keyboard.press('Tab')
    expect((await readFocus(page))?.name).toBe('One request left')
  })

  test('is at the start of a view that was chosen', async () => {
    const { page } = await open()
    for (const view of [...viewIds.slice(1), 'overview']) {
      await page
        .getByRole('navigation', { name: 'Views' })
        .locator(`[href="#${view}"]`)
        .press('Enter')
      await page.locator(`.page[data-view="${view}"]`).waitFor()
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main-content')
      expect(await page.evaluate(() => scrollY)).toBe(0)
    }
  })

  test('walks through a dialog, closes it with Escape, and continues at its button', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'New key…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create a private key' })
    const isFocused = () => create.evaluate((button) => button === document.activeElement)
    for (let pressed = 0; pressed < 10 && !(await isFocused()); pressed++) {
      await page.keyboard.press('Tab')
      expect(await dialog.locator(':focus').count()).toBe(1)
    }
    expect(await isFocused()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await readFocus(page))?.name).toBe('New key…')
  })
})

describe('the page', () => {
  test('has no animations', async () => {
    const { page } = await open()
    const count = () => page.evaluate(() => document.getAnimations().length)
    for (const view of viewIds) {
      await show(page, view)
      expect({ view, animations: await count() }).toEqual({ view, animations: 0 })
    }
    await page.getByRole('button', { name: 'New key…' }).click()
    expect(await count()).toBe(0)
  })

  test('shows what is chosen, and what has the focus, with forced colours', async () => {
    const { page } = await open('/#try')
    await page.emulateMedia({ forcedColors: 'active' })
    const readGround = (name: string) =>
      page
        .getByRole('link', { name })
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await readGround('GET listInventory')).not.toBe(await readGround('GET getPet'))
    await page.getByRole('button', { name: 'Copy link' }).focus()
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(() =>
      document.activeElement ? getComputedStyle(document.activeElement).outlineStyle : 'none',
    )
    expect(outline).toBe('solid')
  })

  /** Adds up the layout shifts of each page that is loaded from now on. */
  const watchShifts = (page: Page) =>
    page.addInitScript(() => {
      Reflect.set(window, 'shift', 0)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const shift: number = Reflect.get(window, 'shift') + Reflect.get(entry, 'value')
          Reflect.set(window, 'shift', shift)
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
  const readShift = async (page: Page): Promise<number> => {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    return page.evaluate(() => Reflect.get(window, 'shift'))
  }

  test.each([1280, 360])('does not move while a view is loaded at %i px', async (width) => {
    const { page } = await open('/')
    await page.setViewportSize({ width, height: 740 })
    await send('/v1/inventory', 'sbx_free')
    await watchShifts(page)
    for (const view of viewIds) {
      await show(page, view)
      await page.reload()
      await page.locator('.glance', { hasText: 'default' }).waitFor()
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect(await readShift(page), view).toBeLessThan(0.1)
    }
  })

  test('would be found to move if content appeared above', async () => {
    const { page } = await open('/')
    await watchShifts(page)
    await page.reload()
    await page.locator('main .card').first().waitFor()
    // Only what has been painted can move, so content is added until a paint is between two additions.
    const addAbove = async (): Promise<number> => {
      await page.evaluate(() => {
        const element = document.createElement('div')
        element.style.height = '300px'
        document.querySelector('main')?.prepend(element)
      })
      return readShift(page)
    }
    await expect.poll(addAbove).toBeGreaterThan(0.1)
  })
})
