/** Where a client sends its requests, and how it waits. */
interface ShopTarget {
  readonly baseUrl: string
  readonly quickstartUrl: string
  readonly apiKey: string
  wait(seconds: number): Promise<void>
}

/**
 * Creates a client of the service.
 *
 * @param isMended Without it, the client waits 2 seconds in place of Retry-After, rounds ids, and repeats a POST whose
 *   response was lost.
 */
export function createShopClient(target: ShopTarget, isMended: boolean) {
  const { baseUrl, quickstartUrl, apiKey, wait } = target
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const sendMessage = () => {
    const body = JSON.stringify({ message: 'restocked' })
    return fetch(`${quickstartUrl}/messages`, { method: 'POST', headers, body })
  }
  return {
    /** Returns the inventory as text. Tries again once after a 429. */
    async list(): Promise<string> {
      const response = await fetch(`${baseUrl}/inventory`, { headers })
      const text = await response.text()
      if (response.status !== 429) return text
      await wait(isMended ? Number(response.headers.get('Retry-After')) : 2)
      return (await fetch(`${baseUrl}/inventory`, { headers })).text()
    },
    /** Sets the quantity of the last pet of the inventory. */
    async restock(inventory: string): Promise<void> {
      const rounded = JSON.parse(inventory).at(-1).petId
      const exact = [...inventory.matchAll(/"petId":(-?\d+)/g)].at(-1)?.[1]
      const body = JSON.stringify({ quantity: 5 })
      const petId = isMended ? exact : rounded
      await fetch(`${baseUrl}/inventory/${petId}`, { method: 'PATCH', headers, body })
    },
    async announce(): Promise<void> {
      await sendMessage().catch(() => (isMended ? undefined : sendMessage()))
    },
  }
}
