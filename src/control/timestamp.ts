/** A moment as ISO 8601 in UTC. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}
