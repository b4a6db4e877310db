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
