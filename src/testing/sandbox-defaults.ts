/**
 * Options of the sandboxes that the fixtures create, unless a test sets them: the journal retains all
 * requests of a test for the matchers.
 */
export const sandboxDefaults = {
  journalCapacity: 10_000,
  /** A journal may use a quarter of it: 3 KB for each entry. */
  maxWorldMemory: 128 * 1_048_576,
} as const
