/** Converts milliseconds since the epoch to ISO 8601 in UTC. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}

/** Formats a time in milliseconds since the epoch as ISO 8601 in UTC, to the second. */
export function formatSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
