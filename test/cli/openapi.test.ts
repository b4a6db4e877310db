import { expect, test } from 'vitest'
import { run } from './support.js'

test('openapi prints the servers of a sandbox on this machine, or at --public-url', async () => {
  const readServers = async (...args: string[]) => {
    const { stdout } = await run(['openapi', ...args])
    const { servers }: { servers: { url: string }[] } = JSON.parse(stdout)
    return servers.map(({ url }) => url)
  }
  const local = 'http://127.0.0.1:4010'
  expect(await readServers()).toEqual([`${local}/v1`, `${local}/staging/v1`])
  expect(await readServers('--control')).toEqual([local, `${local}/staging`])
  const url = 'https://sandbox.example/petstore'
  expect(await readServers('--public-url', `${url}/`)).toEqual([`${url}/v1`, `${url}/staging/v1`])
})
