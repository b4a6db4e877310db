import { expect as playwrightExpect } from '@playwright/test'
import {
  toHaveReceived,
  toHaveReceivedInOrder,
  toHaveReceivedNothingUnmatched,
} from './matchers.js'

const matchers = { toHaveReceived, toHaveReceivedInOrder, toHaveReceivedNothingUnmatched }

/**
 * Playwright's `expect` with matchers for the requests that a sandbox, or one of its worlds, received.
 *
 * @example
 * await expect(page.locator('output')).toContainText('sold out')
 * expect(sandbox).toHaveReceived('updateInventory', { status: 400, times: 1 })
 */
export const expect: ReturnType<typeof playwrightExpect.extend<typeof matchers>> =
  playwrightExpect.extend(matchers)
