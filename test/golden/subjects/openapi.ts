import { run } from '../../cli/support.js'
import { findDifference } from '../difference.js'
import { openServer } from '../exchange.js'
import type { Subject } from '../subject.js'

export const openapi: Subject = {
  name: 'openapi',
  async produce() {
    const { read } = await openServer({ publicUrl: 'https://sandbox.example/petstore' })
    return {
      service: await read('GET /openapi.json'),
      control: await read('GET /openapi.sandbox.json'),
      'what differs in OpenAPI 3.0': {
        service: findDifference(await print('--openapi', '3.0'), await print()),
        control: findDifference(
          await print('--control', '--openapi', '3.0'),
          await print('--control'),
        ),
      },
      'what differs without --public-url': {
        service: findDifference(await print(), await read('GET /openapi.json')),
        control: findDifference(await print('--control'), await read('GET /openapi.sandbox.json')),
      },
    }
  },
}

async function print(...options: readonly string[]) {
  const { stdout } = await run(['openapi', ...options])
  return JSON.parse(stdout)
}
