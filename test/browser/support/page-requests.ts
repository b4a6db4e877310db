import type { Frame, Page } from 'playwright-core'

export const apiUrl = 'https://api.petstore.example/v1'
export const controlUrl = 'https://api.petstore.example/sandbox'

/** The part of a response that a script can read. */
interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface PageRequest {
  readonly key?: string
  readonly method?: string
  readonly json?: unknown
  /** The value of `Prefer`. */
  readonly prefer?: string
}

/** Sends a request from a page or a frame. Rejects if the connection breaks. */
export function fetchFromPage(
  page: Page | Frame,
  url: string,
  { key = 'sbx_free', method = 'GET', json, prefer }: PageRequest = {},
): Promise<PageResponse> {
  return page.evaluate(
    async ([url, method, key, body, prefer]) => {
      const type = { 'Content-Type': 'application/json' }
      const headers = { Authorization: `Bearer ${key}`, ...type, ...(prefer && { Prefer: prefer }) }
      const response = await fetch(url, { method, headers, body })
      const received = Object.fromEntries(response.headers)
      return { status: response.status, headers: received, text: await response.text() }
    },
    [url, method, key, json === undefined ? null : JSON.stringify(json), prefer] as const,
  )
}

/** Sets the stock of a pet from the page. */
export async function setQuantity(page: Page, petId: number, quantity: number, key = 'sbx_free') {
  const url = `${apiUrl}/inventory/${petId}`
  return fetchFromPage(page, url, { key, method: 'PATCH', json: { quantity } })
}

/** Returns the stock of a pet that the page reads. */
export async function readQuantity(page: Page, petId: number, key = 'sbx_free') {
  const { text } = await fetchFromPage(page, `${apiUrl}/inventory`, { key })
  const items: { petId: number; quantity: number }[] = JSON.parse(text)
  return items.find((item) => item.petId === petId)?.quantity
}
