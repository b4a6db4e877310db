// The sandbox as `serve` starts it, from the file of its entry point.
import { pathToFileURL } from 'node:url'
import { createScenario } from '../programs/pets.js'
import { answerCpu, petCount } from '../programs/serve.js'

const { createSandboxServer } = await import(pathToFileURL(process.argv[3]).href)

const server = await createSandboxServer({ scenario: createScenario(petCount) })
answerCpu(new URL(await server.listen({ port: 0 })).port)
