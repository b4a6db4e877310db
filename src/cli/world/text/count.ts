/** `1 pet`, `12 pets`. */
export function toCount(count: number, things: string): string {
  return `${count} ${count === 1 ? things.replace(/s$/, '') : things}`
}
