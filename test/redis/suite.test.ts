import { afterAll, beforeAll } from 'vitest'
import { createRedisStore } from '../../src/store/redis.js'
import { describeControl } from '../conformance/control/control.js'
import { describeService } from '../conformance/service/service.js'
import { createStoredTransport } from '../store/transports.js'
import { RedisServer } from './support/redis.js'

let server: RedisServer
beforeAll(async () => {
  server = await RedisServer.start('--appendfsync', 'no')
})
afterAll(() => server.stop())

let groups = 0
const replicas = createStoredTransport('three replicas with Redis', () => {
  groups += 1
  const prefix = `group-${groups}`
  const open = () => createRedisStore({ url: server.url, prefix })
  return Promise.all([open(), open(), open()])
})

describeService(replicas)
describeControl(replicas)
