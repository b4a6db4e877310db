import type { InventoryItem } from '../world/database.js'

/** An InventoryItem (spec §2) as JSON; its id is written digit by digit, as int64 is exact only so. */
export function toItemJson({ petId, quantity, status }: InventoryItem): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`
}
