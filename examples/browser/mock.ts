import { startSandbox } from 'petstore-sandbox/browser'

await startSandbox({ scenario: 'low-stock', scenarioFromUrl: true })
