import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { measureOverflow } from './readable.js'

const widths = { desktop: 1280, phone: 360 } as const

/** A color scheme and a window in which pages are checked. */
type Appearance = readonly [scheme: 'light' | 'dark', device: keyof typeof widths]

/** Both color schemes and both windows, for pages that only differ in their data. */
export const twoAppearances: readonly Appearance[] = [
  ['light', 'phone'],
  ['dark', 'desktop'],
]

const appearances: readonly Appearance[] = [
  ...twoAppearances,
  ['dark', 'phone'],
  ['light', 'desktop'],
]

/**
 * Returns a page that is wider than its window, and findings of axe, such as texts with a low contrast,
 * in each appearance. The page keeps the last one.
 */
export async function findFlaws(page: Page, checked = appearances): Promise<string[]> {
  const found: string[] = []
  for (const [scheme, device] of checked) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: widths[device], height: 800 })
    const overflow = await measureOverflow(page)
    const flaws = [
      ...(overflow > 0 ? [`the page is ${overflow} px wider than the window`] : []),
      ...(await findWithAxe(page)),
    ]
    found.push(...flaws.map((flaw) => `${scheme}, ${device}: ${flaw}`))
  }
  return found
}

/** Returns what axe finds in a page, each with its rule and its element. */
export async function findWithAxe(page: Page): Promise<string[]> {
  // Evaluated from outside, so that the Content-Security-Policy of the page does not matter.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    // 4.5:1 (WCAG 2.2, 1.4.3), also for large texts and for texts of one character.
    const sizes = { boldTextPt: Infinity, largeTextPt: Infinity, ignoreLength: true }
    const contrast = { ...sizes, contrastRatio: { normal: { expected: 4.5 } } }
    checker.configure({ checks: [{ id: 'color-contrast', options: contrast }] })
    // In the console, a fragment is a view: a link that is scrolled out of the menu is no skip link.
    const rules = { 'skip-link': { enabled: false } }
    const options = { rules, resultTypes: ['violations' as const] }
    const { violations } = await checker.run(options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    )
  })
}
