import type { Page } from 'playwright-core'

/** Returns by how many pixels the page is wider than its window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

const controls = new Set([
  'button',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'link',
])

/** Returns the roles of controls without an accessible name. */
export async function findNameless(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored, role, name }) => !ignored && controls.has(role?.value) && !name?.value)
    .map(({ role }) => String(role?.value))
}

/** Returns texts with a contrast below 4.5:1 (WCAG 2.2, 1.4.3). Disabled controls are exempt. */
export function findFaint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toParts = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
    const toLuminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = toParts(color).map((part) => {
        const share = part / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const findGround = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      const alpha = toParts(backgroundColor)[3] ?? 1
      return alpha === 0 ? findGround(element.parentElement) : backgroundColor
    }
    const isText = (element: Element) =>
      Array.from(element.childNodes).some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
    return Array.from(document.querySelectorAll('body *'))
      .filter(
        (element) => isText(element) && element.checkVisibility() && !element.matches(':disabled'),
      )
      .flatMap((element) => {
        const text = toLuminance(getComputedStyle(element).color)
        const ground = toLuminance(findGround(element))
        const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
        return contrast < 4.5
          ? [`${contrast.toFixed(2)}: ${element.textContent?.slice(0, 40)}`]
          : []
      })
  })
}
