import type { Page } from 'playwright-core'

/** Returns by how many pixels the page is wider than its window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

/**
 * Returns texts that are cut off, or can only be read by scrolling sideways. Tables may scroll
 * sideways; a text may end with an ellipsis if a tooltip shows all of it; and an input scrolls.
 */
export function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasTitle = (element: Element) => element.closest('[title]') !== null
    const isHiddenOnPurpose = (element: Element) =>
      getComputedStyle(element).clipPath !== 'none' || element.matches('option, script, style')
    const describeClip = (element: Element, rect: DOMRect): string | undefined => {
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        if (isHiddenOnPurpose(at)) return undefined
        const { overflowX, overflowY, textOverflow } = getComputedStyle(at)
        const box = at.getBoundingClientRect()
        const isBeside = rect.right > box.right + 1 || rect.left < box.left - 1
        const isBelow = rect.bottom > box.bottom + 1 || rect.top < box.top - 1
        if (isBeside && (overflowX === 'hidden' || overflowX === 'clip')) {
          return textOverflow === 'ellipsis' && hasTitle(element) ? undefined : 'is cut off'
        }
        if (isBelow && (overflowY === 'hidden' || overflowY === 'clip')) return 'is cut off below'
        if (overflowX === 'auto' || overflowX === 'scroll') {
          if (at.querySelector('table')) return undefined
          // A space at the end of a line may hang beyond the box.
          if (isBeside && at.scrollWidth > at.clientWidth) return 'must be scrolled sideways'
          if (isBeside) return undefined
        }
      }
      return rect.right > document.documentElement.clientWidth + 1 || rect.left < -1
        ? 'is outside of the page'
        : undefined
    }
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element?.checkVisibility() || !node.textContent?.trim()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const clip = Array.from(range.getClientRects())
        .map((rect) => describeClip(element, rect))
        .find((text) => text !== undefined)
      if (clip) found.push(`${node.textContent.trim().slice(0, 60)} ${clip}`)
    }
    return found
  })
}
