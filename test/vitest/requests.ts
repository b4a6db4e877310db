import type { TestSandbox } from '../../src/vitest.js'

/** Sets the quantity of a pet through the service. */
export function setQuantity(sandbox: TestSandbox, quantity: unknown, petId = 1): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ quantity })
  return sandbox.fetch(`/inventory/${petId}`, { method: 'PATCH', headers, body })
}

/** Returns the message of a failing assertion. Empty if it passes. */
export function messageOf(assert: () => void): string {
  try {
    assert()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
