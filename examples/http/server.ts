import { createSandboxServer } from 'petstore-sandbox/server'

const server = await createSandboxServer({ scenario: 'low-stock' })
const url = await server.listen({ port: 0 })

const headers = { Authorization: 'Bearer sbx_free' }
const response = await fetch(`${url}/v1/inventory`, { headers })
console.log(await response.json())

await server.close()
