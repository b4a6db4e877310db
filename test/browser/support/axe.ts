import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { findFaint, measureOverflow } from './readable.js'

const widths = { desktop: 1280, phone: 360 } as const

/** The combinations of a color scheme and a window in which pages are checked. */
export const appearances = (['light', 'dark'] as const).flatMap((scheme) =>
  (['desktop', 'phone'] as const).map((device) => [scheme, device] as const),
)

export type Appearance = (typeof appearances)[number]

/** Both color schemes and both windows, for pages that only differ in their data. */
export const twoAppearances: readonly Appearance[] = [
  ['light', 'phone'],
  ['dark', 'desktop'],
]

/** Shows a page in a color scheme and with the width of a device. */
export async function setAppearance(page: Page, [scheme, device]: Appearance): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width: widths[device], height: 800 })
}

/** Returns texts with a low contrast, a page that is wider than its window, and findings of axe. */
export async function findFlaws(page: Page): Promise<string[]> {
  const overflow = await measureOverflow(page)
  return [
    ...(overflow > 0 ? [`the page is ${overflow} px wider than the window`] : []),
    ...(await findFaint(page)),
    ...(await findWithAxe(page)),
  ]
}

/** Returns what axe finds in a page, each with its rule and its element. */
export async function findWithAxe(page: Page): Promise<string[]> {
  // Evaluated from outside, so that the Content-Security-Policy of the page does not matter.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // In the console, a fragment is a view: a link that is scrolled out of the menu is no skip link.
    const rules = { 'skip-link': { enabled: false } }
    const options = { rules, resultTypes: ['violations' as const] }
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    )
  })
}
