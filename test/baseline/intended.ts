import type { Exchange } from './exchange.js'

/** A difference between the release and this build that the changelog states. */
export interface IntendedDifference {
  /** The line of the changelog. */
  readonly reason: string
  /**
   * Returns the exchange without what differs. It is called for both builds. Undefined if nothing of
   * the exchange should be compared.
   */
  normalize(exchange: Exchange): Exchange | undefined
}

/** The intended differences between the compared release and this build; emptied after a release. */
export const intendedDifferences: readonly IntendedDifference[] = []
