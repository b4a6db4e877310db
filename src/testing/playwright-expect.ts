import { type Expect, expect as playwrightExpect } from '@playwright/test'
import {
  type MatcherResult,
  type NotAny,
  type RemoteMatchers,
  type RemoteReceiver,
  toHaveReceived,
  toHaveReceivedInOrder,
  toHaveReceivedNothingUnmatched,
} from './matchers.js'

const matchers = { toHaveReceived, toHaveReceivedInOrder, toHaveReceivedNothingUnmatched }

/** The matchers with their result for a world in this process. */
type LocalMatchers = {
  readonly [Name in keyof typeof matchers]: (
    ...args: Parameters<(typeof matchers)[Name]>
  ) => MatcherResult
}

/** The assertions on a remote handle. */
export type RemoteAssertion = ReturnType<Expect> & RemoteMatchers & { readonly not: RemoteMatchers }

/** Playwright's `expect`. The matchers of a remote handle return promises. */
export type SandboxExpect = (<T extends RemoteReceiver>(
  actual: NotAny<T>,
  message?: Parameters<Expect>[1],
) => RemoteAssertion) &
  Expect<LocalMatchers>

/**
 * Playwright's `expect` with matchers for the requests that a sandbox, or one of its worlds, received.
 *
 * @example
 * await expect(page.locator('output')).toContainText('sold out')
 * expect(sandbox).toHaveReceived('updateInventory', { status: 400, times: 1 })
 */
export const expect = playwrightExpect.extend(matchers) as SandboxExpect
