import { startSandbox } from 'petstore-sandbox/browser'

export async function startMock() {
  await startSandbox({ scenario: 'low-stock' })
}
