// The sandbox as `npm start` serves it, with quotas that the benchmark cannot exceed.
import { createSandboxServer } from '../../dist/src/server.js'
import { createItems, reportPort } from './measured.js'

const unlimited = { requestsPerMinute: 1_000_000_000, requestsPerDay: 1_000_000_000 }
const pets = createItems().map((item) => ({ ...item, name: `Pet ${item.petId}` }))

const server = await createSandboxServer({
  scenario: { name: 'bench', pets, plans: { enterprise: unlimited } },
})
reportPort(new URL(await server.listen({ port: 0 })).port)
