'use client'

import { useRouter } from 'next/navigation'
import { type InventoryItem, type Service, setQuantity } from '../lib/inventory'

/** A client component. The browser sends its requests, with the key that the server used. */
export function AddOne({ service, item }: { service: Service; item: InventoryItem }) {
  const router = useRouter()
  const add = async () => {
    await setQuantity(service, item.petId, item.quantity + 1)
    router.refresh()
  }
  return (
    <button type="button" onClick={add}>
      Add one
    </button>
  )
}
