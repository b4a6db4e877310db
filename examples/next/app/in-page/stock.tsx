'use client'

import { useEffect, useState } from 'react'
import { type InventoryItem, listInventory, type Service, setQuantity } from '../../lib/inventory'

/** A client component. It sends its requests after it is mounted, never during rendering. */
export function Stock({ service }: { service: Service }) {
  const [items, setItems] = useState<readonly InventoryItem[]>([])
  useEffect(() => {
    listInventory(service).then(setItems, console.error)
  }, [service])
  const addOne = async ({ petId, quantity }: InventoryItem) => {
    const changed = await setQuantity(service, petId, quantity + 1)
    setItems((items) => items.map((item) => (item.petId === petId ? changed : item)))
  }
  return (
    <table>
      <tbody>
        {items.map((item) => (
          <tr key={item.petId}>
            <th scope="row">Pet {item.petId}</th>
            <td>{item.quantity}</td>
            <td>
              <button type="button" onClick={() => addOne(item)}>
                Add one
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
