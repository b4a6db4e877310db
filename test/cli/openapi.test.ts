import { expect, test } from 'vitest'
import { run } from './support.js'

// The golden file `openapi` has the servers without this option.
test('openapi prints the servers of a sandbox at --public-url', async () => {
  const url = 'https://sandbox.example/petstore'
  const { stdout } = await run(['openapi', '--public-url', `${url}/`])
  const servers = [{ url: `${url}/v1` }, { url: `${url}/staging/v1` }]
  expect(JSON.parse(stdout)).toMatchObject({ servers })
})
