import { startSandbox } from 'petstore-sandbox/browser'

await startSandbox()
