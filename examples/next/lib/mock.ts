import { startSandbox } from 'petstore-sandbox/browser'

await startSandbox({ scenarioFromUrl: true, panel: true, quiet: true })
