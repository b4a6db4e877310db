import { beforeAll, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../src/service/openapi/build.js'
import { operationIds } from '../../src/service/operations/operations.js'
import { outFile, runTool, useSandbox } from './project.js'

const getUrl = useSandbox()

beforeAll(async () => {
  const document = `${getUrl()}/openapi.json`
  await runTool('openapi-typescript', [document, '-o', outFile('openapi-typescript.ts')])
  await runTool('orval', [], { DOCUMENT_URL: document })
  await runTool('openapi-ts', ['-i', document, '-o', outFile('hey-api')])
  const folder = outFile('')
  await runTool('swagger-typescript-api', [
    ...['generate', '-p', document],
    ...['-o', folder, '-n', 'swagger-typescript-api.ts'],
  ])
  await runTool('oazapfts', [document, outFile('oazapfts.ts')])
})

test('the generated code compiles in strict mode', async () => {
  expect(await runTool('tsc', ['--pretty', 'false'])).toBe('')
})

const clients = ['openapi-fetch', 'orval', 'hey-api', 'swagger-typescript-api', 'oazapfts']

test.each(clients)(
  'a client of %s reaches every operation and every documented error',
  async (name) => {
    const expected = (await listDocumented()).map(([operation, wanted]) => ({
      operation,
      wanted,
      status: wanted,
      body: wanted < 400 ? expect.anything() : expect.objectContaining({ status: wanted }),
    }))
    expect(await runClient(name, `sbx_enterprise_default_${name}`, '7')).toEqual(expected)
  },
)

test.each(clients)(
  'a client of %s has exact ids up to 2^53-1, and rounds larger ones',
  async (name) => {
    const readPet = async (petId: string) => {
      const outcomes = await runClient(name, `sbx_enterprise_int64-ids_${name}`, petId)
      return outcomes.find(({ operation, wanted }) => operation === 'getPet' && wanted === 200)
    }
    expect(await readPet('9007199254740991')).toMatchObject({ body: { petId: 2 ** 53 - 1 } })
    // Rounded to 9223372036854776000, which is no int64.
    expect(await readPet('9223372036854775807')).toMatchObject({ status: 400 })
  },
)

interface Outcome {
  readonly operation: string
  /** The status that the sandbox was to send. */
  readonly wanted: number
  readonly status: number
  readonly body: unknown
}

/** Sends each documented request with a generated client, once for each status. */
async function runClient(name: string, apiKey: string, petId: string): Promise<Outcome[]> {
  const program = outFile('js/clients/run.js')
  return JSON.parse(await runTool('node', [program, name, getUrl(), apiKey, petId]))
}

/** Returns each operation with the statuses of its success and its errors. */
async function listDocumented(): Promise<[operation: string, status: number][]> {
  const document: OpenApiDocument = await (await fetch(`${getUrl()}/openapi.json`)).json()
  const operations = Object.values(document.paths).flatMap(({ servers: _, ...item }) =>
    Object.values(item),
  )
  expect(operations).toHaveLength(operationIds.length)
  return operations.flatMap(({ operationId, responses }) => {
    const errors = Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400)
    return [200, ...errors].map((status): [string, number] => [operationId, status])
  })
}
