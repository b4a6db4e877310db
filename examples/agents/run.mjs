import { createClient } from './client.mjs'

const root = process.env.PETSTORE_SANDBOX_URL ?? 'http://127.0.0.1:4010'
const send = createClient({ apiKey: process.env.PETSTORE_SANDBOX_KEY })

const pets = await send('GET', `${root}/v1/inventory`)
const { petId, quantity } = pets.at(-1)
await send('PATCH', `${root}/v1/inventory/${petId}`, { quantity: quantity + 1 })
await send('POST', `${root}/quickstart/messages`, { message: `restocked ${petId}` })
