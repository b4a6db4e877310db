import { join } from 'node:path'
import { readExamples } from '../../cli/examples.js'
import { createDirectory, runToEnd, until } from '../../cli/support.js'
import { listCommands, toOutput } from '../commands.js'
import { type GoldenServer, openServer } from '../exchange.js'
import type { Subject } from '../subject.js'

export const cliWorld: Subject = {
  name: 'cli-world',
  /** Runs every example of every help, each with a key of its own. */
  async produce() {
    const server = await openServer()
    const produced: Record<string, unknown> = {}
    for (const words of await listExamples()) {
      const args = await placeFiles(words)
      const label = `ci-${Object.keys(produced).length}`
      produced[words.join(' ')] = [
        await runExample(server, `sbx_free_default_text-${label}`, args),
        await runExample(server, `sbx_free_default_json-${label}`, toJson(await placeFiles(words))),
      ]
    }
    return produced
  },
}

const isFile = /\.(?:json|html|xml)$/

/** Places the files of an example in a new directory. One that a command writes does not exist. */
async function placeFiles(words: readonly string[]): Promise<string[]> {
  const directory = await createDirectory({
    'faults.json': [{ type: 'reset' }],
    ...(!words.includes('--output') && {
      'seen.json': { name: 'seen', extends: 'default', seed: 3 },
    }),
  })
  return words.map((word) => (isFile.test(word) ? join(directory, word) : word))
}

function toJson([world = '', ...others]: readonly string[]): string[] {
  return [world, '--json', ...others.filter((word) => word !== '--json')]
}

/** Lists the examples of all commands, without duplicates and without the URL of an example. */
async function listExamples(): Promise<readonly string[][]> {
  const examples = new Map<string, string[]>()
  for (const { help } of await listCommands(['world'])) {
    for (const words of readExamples(help)) {
      const args = words.filter((word, at) => word !== '--url' && words[at - 1] !== '--url')
      examples.set(args.join(' '), args)
    }
  }
  return [...examples.values()]
}

/** Runs an example in a world that has received requests and has a fault. */
async function runExample({ url, send }: GoldenServer, key: string, args: readonly string[]) {
  await send('GET /v1/inventory', { key })
  await send('PATCH /v1/inventory/1', { key, json: { quantity: -5 } })
  await send('GET /staging/v1/pets/404', { key })
  await send('POST /sandbox/faults', { key, json: { type: 'status', status: 503, atMost: 2 } })
  await send('GET /v1/pets/1', { key })
  const access = args.includes('--key') ? ['--url', url] : ['--url', url, '--key', key]
  const [world = '', ...others] = args
  const outcome = await runToEnd([world, ...access, ...others], async (read) => {
    await send('GET /v1/inventory', { key })
    await until(() => read().stdout.includes('\n'))
  })
  return toOutput(args, outcome)
}
