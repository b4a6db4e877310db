/** Converts milliseconds since the epoch to ISO 8601 in UTC. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}
