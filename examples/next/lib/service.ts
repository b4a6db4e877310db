import { cookies } from 'next/headers'
import type { Service } from './inventory'

/** Returns the service for a visitor. */
export async function findService(): Promise<Service> {
  const { PETSTORE_URL, PETSTORE_API_KEY, PETSTORE_KEY_COOKIE } = process.env
  if (!PETSTORE_URL || !PETSTORE_API_KEY) {
    throw new Error('PETSTORE_URL and PETSTORE_API_KEY must be set')
  }
  // Set in development and tests only: the visitor chooses the key, and with it the world.
  const cookie = PETSTORE_KEY_COOKIE ? (await cookies()).get(PETSTORE_KEY_COOKIE) : undefined
  return { url: PETSTORE_URL, apiKey: cookie?.value ?? PETSTORE_API_KEY }
}
