import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, inject, test } from 'vitest'
import { documentedStatuses } from '../../src/service/operations/operation.js'
import { operationIds, operations } from '../../src/service/operations/operations.js'
import { outFile, runTool, startPrism, useSandbox } from './project.js'

const getUrl = useSandbox()

test('a Postman collection of the document passes newman, with every operation', async () => {
  const document = outFile('openapi.json')
  await writeFile(document, await (await fetch(`${getUrl()}/openapi.json`)).text())
  const collection = outFile('collection.json')
  const useExamples = ['-O', 'parametersResolution=Example']
  await runTool('openapi2postmanv2', ['-s', document, '-o', collection, ...useExamples])

  const report = outFile('newman.json')
  const key = 'bearerToken=sbx_free_default_postman'
  const reporters = ['-r', 'json', '--reporter-json-export', report]
  await runTool('newman', ['run', collection, '--env-var', key, ...reporters])
  const { run } = JSON.parse(await readFile(report, 'utf8'))
  const codes = run.executions.map(({ response }: { response: { code: number } }) => response.code)
  expect(codes).toEqual(operationIds.map(() => 200))
})

test.each(['openapi.json', 'openapi.sandbox.json'])(
  "Spectral's rules for OpenAPI report nothing about /%s",
  async (name) => {
    const options = ['-r', 'spectral.yaml', '--fail-severity', 'hint']
    const printed = await runTool('spectral', ['lint', `${getUrl()}/${name}`, ...options])
    expect(printed).toContain('No results')
  },
)

describe.runIf(inject('usesPrism'))('Prism as a validating proxy', () => {
  test.each(operationIds)('reports nothing for the requests and responses of %s', async (id) => {
    const { addresses, method, path, request } = operations[id]
    const [address] = addresses
    const upstream = `${getUrl()}${address === 'quickstart' ? '/quickstart' : '/v1'}`
    const prism = await startPrism(`${getUrl()}/openapi.json`, upstream)
    try {
      for (const status of documentedStatuses(operations[id])) {
        const response = await fetch(`${prism.url}${path.replace('{petId}', '7')}`, {
          method,
          headers: {
            Authorization: 'Bearer sbx_enterprise_default_prism',
            'Content-Type': 'application/json',
            Prefer: `code=${status}`,
          },
          ...(request && { body: JSON.stringify(request.example) }),
        })
        expect(response.status).toBe(status)
        expect(response.headers.get('sl-violations'), String(status)).toBeNull()
      }
    } finally {
      await prism.stop()
    }
  })

  test('reports a response that the document does not describe', async () => {
    // Shows that Prism validates: this is the path of another operation.
    const prism = await startPrism(`${getUrl()}/openapi.json`, `${getUrl()}/v1/store/orders?`)
    try {
      const response = await fetch(`${prism.url}/inventory`, {
        headers: { Authorization: 'Bearer sbx_enterprise_default_prism' },
      })
      expect(response.headers.get('sl-violations')).not.toBeNull()
    } finally {
      await prism.stop()
    }
  })
})
