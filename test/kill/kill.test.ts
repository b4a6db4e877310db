import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { createRandom, type Random } from '../abuse/random.js'
import { createHttpClient } from '../support/http-client.js'
import { bin, type Program, startProgram } from '../support/program.js'
import { type Client, TestedWorld } from './tested-world.js'

const rounds = inject('rounds')
const seed = inject('seed')

/** Rounds for which the same worlds are used. */
const roundsPerWorld = 10
/** A server that starts takes about this time, in milliseconds. */
const startMs = 250

test(`a directory store loses no acknowledged request when the server is killed ${rounds} times under load, with seed ${seed}`, () =>
  killRounds(rounds))

test('this test finds a store that acknowledges requests before it writes them', async () => {
  const lostWrites = fileURLToPath(new URL('programs/lost-writes.js', import.meta.url))
  await expect(killRounds(5, [lostWrites])).rejects.toThrow(/^round \d, sbx_/)
})

/** Kills a server, starts it again and checks all worlds, for a number of times. */
async function killRounds(count: number, imports: readonly string[] = []): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'))
  const start = () => startServer(directory, imports)
  const random = createRandom(seed)
  let { server, agent, client } = await start()
  let worlds: TestedWorld[] = []
  try {
    for (let round = 0; round < count; round++) {
      const ofRound = random.fork(round)
      if (round % roundsPerWorld === 0) worlds = await createWorlds(client, round)
      await sendUntilKilled(server, client, worlds, ofRound)
      agent.destroy()
      if (ofRound.chance(0.1)) await killDuringStart(directory, ofRound)
      ;({ server, agent, client } = await start())
      for (const world of worlds) await checkWorld(client, world, round)
    }
  } finally {
    agent.destroy()
    await server.end()
    await rm(directory, { recursive: true })
  }
}

/** Starts the built server with a directory, in a process of its own. */
function launch(directory: string, imports: readonly string[] = []): Program {
  const loaded = imports.flatMap((path) => ['--import', path])
  const options = ['--data', directory, '--port', '0', '--log', 'silent']
  return startProgram([process.execPath, ...loaded, bin, 'serve', ...options])
}

async function startServer(directory: string, imports: readonly string[]) {
  const server = launch(directory, imports)
  const [, url = ''] = await server.read(/API +(http:\/\/127\.0\.0\.1:\d+)/)
  const agent = new Agent({ keepAlive: true })
  return { server, agent, client: createHttpClient(url, { agent }) }
}

/** @throws {Error} With the round and the world, if the world is not as its responses said. */
async function checkWorld(client: Client, world: TestedWorld, round: number): Promise<void> {
  try {
    await world.check(client)
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    throw new Error(`round ${round}, ${world.key}: ${message}`, { cause: error })
  }
}

async function createWorlds(client: Client, round: number): Promise<TestedWorld[]> {
  const worlds = [
    new TestedWorld(`sbx_free_default_a${round}`, 1),
    new TestedWorld(`sbx_free_default_b${round}`, 2),
    new TestedWorld(`sbx_enterprise_default_c${round}`, 2),
    new TestedWorld(`sbx_enterprise_default_d${round}`, 4),
  ]
  for (const world of worlds) await world.create(client)
  return worlds
}

/** Sends requests with all clients of all worlds, and ends the server after a number of responses. */
async function sendUntilKilled(
  server: Program,
  client: Client,
  worlds: readonly TestedWorld[],
  random: Random,
): Promise<void> {
  // Some rounds are longer than the log of the store.
  let rest = 1 + random.int(random.chance(0.1) ? 900 : 150)
  const delayMs = random.int(4)
  let killed: Promise<void> | undefined
  const sendAll = async (world: TestedWorld, index: number, ofClient: Random) => {
    while (!world.isFull) {
      try {
        await world.send(client, index, ofClient)
      } catch (error) {
        if (killed) return
        throw error
      }
      rest -= 1
      if (rest <= 0) killed ??= wait(delayMs).then(() => server.end())
    }
  }
  const sending = worlds.flatMap((world, at) =>
    Array.from({ length: world.clients }, (_, index) =>
      sendAll(world, index, random.fork(at * 10 + index)),
    ),
  )
  await Promise.all(sending)
  await killed
}

/** Ends a server while it reads what the previous server has left. */
async function killDuringStart(directory: string, random: Random): Promise<void> {
  const server = launch(directory)
  await wait(random.int(startMs))
  await server.end()
}
