'use server'

import { refresh } from 'next/cache'
import { setQuantity } from '../lib/inventory'
import { findService } from '../lib/service'

/** The server sends this request. */
export async function sellOne(petId: number, quantity: number): Promise<void> {
  await setQuantity(await findService(), petId, quantity - 1)
  refresh()
}
