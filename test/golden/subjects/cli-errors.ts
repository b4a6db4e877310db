import { join } from 'node:path'
import { createDirectory, run, runServe } from '../../cli/support.js'
import { closedUrl, serveWorld } from '../../cli/world-support.js'
import { serve } from '../../support/server.js'
import { badScenarios } from '../bad-scenarios.js'
import { listCommands, runCommand, runCommands, toOutput } from '../commands.js'
import type { Subject } from '../subject.js'
import { otherLines, serveOptions, worldLines } from '../wrong-commands.js'

export const cliErrors: Subject = {
  name: 'cli-errors',
  async produce() {
    return {
      ofEveryCommand: await misuseEach(),
      serve: await runEach('serve', serveOptions),
      serveFiles: await serveFiles(),
      serveTwice: await serveTwice(),
      variables: await setVariables(),
      other: await runEach('', otherLines),
      world: await misuseWorld(),
      foreignServers: await callForeignServers(),
      scenarioFiles: await checkFiles(),
    }
  },
}

function split(line: string): string[] {
  return line.split(' ').map((word) => (word === "''" ? '' : word))
}

async function runEach(command: string, lines: readonly string[], env = {}) {
  const outputs: unknown[] = []
  for (const line of lines) {
    const args = [...(command === '' ? [] : [command]), ...split(line)]
    outputs.push(toOutput(args, await run(args, env)))
  }
  return outputs
}

/** Runs every command with an unknown option, without its arguments and with one too many. */
async function misuseEach() {
  const { url } = await serveWorld()
  const env = { PETSTORE_SANDBOX_URL: url }
  const outputs: unknown[] = []
  for (const { words, help } of await listCommands()) {
    const [, required = ''] = /^Usage: .*?((?: <[^>]+>)*)$/m.exec(help) ?? []
    outputs.push(toOutput([...words, '--nonsense'], await run([...words, '--nonsense'], env)))
    if (required !== '') outputs.push(toOutput(words, await run(words, env)))
    if (/\.\.\.>/.test(required)) continue
    const excess = [...words, ...required.split(' ').slice(1), 'excess']
    outputs.push(toOutput(excess, await run(excess, env)))
  }
  return outputs
}

async function serveFiles() {
  const directory = await createDirectory({
    'no-handlers.mjs': 'export const other = 1',
    'wrong-handlers.mjs': 'export const handlers = [1]',
    'throwing.mjs': 'throw new Error("first\\nsecond")',
    'twins.txt': '',
  })
  const twins = await createDirectory({ 'a.json': { name: 'shop' }, 'b.json': { name: 'shop' } })
  const builtIn = await createDirectory({ 'a.json': { name: 'default' } })
  return runCommands([
    [['serve', '--handlers', join(directory, 'no-handlers.mjs')]],
    [['serve', '--handlers', join(directory, 'wrong-handlers.mjs')]],
    [['serve', '--handlers', join(directory, 'throwing.mjs')]],
    [['serve', '--data', join(directory, 'twins.txt')]],
    [['serve', '--scenarios', twins]],
    [['serve', '--scenarios', builtIn, '--scenario', 'none']],
    [['check', twins]],
    [['check', builtIn]],
    [['check', directory]],
  ])
}

/** A directory of worlds, and a port, belong to one process. */
async function serveTwice() {
  const data = join(await createDirectory({}), 'worlds')
  const outputs: unknown[] = []
  await runServe(['--data', data], {}, async (url) => {
    outputs.push(await runCommand(['serve', '--port', '0', '--data', data]))
    const taken = await run(['serve', '--port', new URL(url).port])
    outputs.push(toOutput(['serve', '--port', '<the same>'], taken))
  })
  return outputs
}

async function setVariables() {
  const rows: readonly (readonly [line: string, env: Record<string, string>])[] = [
    ['serve', { PETSTORE_SANDBOX_PORT: 'abc' }],
    ['serve', { PORT: '99999' }],
    ['serve', { PETSTORE_SANDBOX_PORT: 'first', PORT: 'second' }],
    ['serve', { PETSTORE_SANDBOX_MAX_WORLDS: '-3', PETSTORE_SANDBOX_LOG: 'xml' }],
    ['serve', { PETSTORE_SANDBOX_WATCH: 'perhaps' }],
    ['serve', { PETSTORE_SANDBOX_DATA_SYNC: 'true' }],
    ['serve', { PETSTORE_SANDBOX_SCENARIOS: './none' }],
    ['serve', { PETSTORE_SANDBOX_KEY_SECRET: 'too-short-1' }],
    ['key', { PETSTORE_SANDBOX_KEY_SECRET: 'too-short-1' }],
    ['serve', { PETSTORE_SANDBOX_KEY_SECRET: '' }],
    ['key', { PETSTORE_SANDBOX_KEY_SECRET: '' }],
    ['openapi', { PETSTORE_SANDBOX_PUBLIC_URL: 'nonsense' }],
    ['scenarios', { PETSTORE_SANDBOX_SCENARIOS: './none' }],
    ['world', { PETSTORE_SANDBOX_URL: 'nonsense' }],
    ['world', { PETSTORE_SANDBOX_KEY: 'sbx_free default' }],
    ['world', { PETSTORE_SANDBOX_TOKEN: 'two words' }],
    ['verify --url http://127.0.0.1:9/v1', { PETSTORE_API_KEY: 'two words' }],
    ['pull --url http://127.0.0.1:9/v1', { PETSTORE_API_KEY: 'two words' }],
  ]
  return runCommands(rows.map(([line, env]) => [split(line), env]))
}

async function misuseWorld() {
  const open = await serveWorld()
  const restricted = await serveWorld({ access: { control: 'token-of-the-operator' } })
  const directory = await createDirectory({
    'shop.json': { name: 'my-shop', pets: [{ petId: 'x', name: 5 }] },
    'broken.json': '{\n  "name" 1\n}',
  })
  return [
    ...(await runEach('world', worldLines, { PETSTORE_SANDBOX_URL: open.url })),
    await runCommand(['world', '--url', open.url, 'use', join(directory, 'shop.json')]),
    await runCommand(['world', '--url', open.url, 'use', join(directory, 'broken.json')]),
    await runCommand(['world', '--url', `${open.url}/v1`, 'show']),
    await runCommand(['world', '--url', closedUrl, 'show']),
    await runCommand(['world', '--url', closedUrl, 'events']),
    await runCommand(['world', '--url', closedUrl, 'report']),
    await runCommand(['world', '--url', restricted.url, 'reset']),
  ]
}

async function callForeignServers() {
  const replies: readonly (readonly [status: number, type: string | undefined, body: string])[] = [
    [200, 'text/html', '<!doctype html>'],
    [404, 'text/html', '<h1>No'],
    [502, undefined, 'bad gateway'],
    [204, undefined, ''],
    [200, 'application/json', '{"hello":"world"}'],
    [200, 'application/json', '{"hello"'],
    [400, 'application/json', '{"error":"no"}'],
    [200, 'application/json', 'null'],
  ]
  const outputs: unknown[] = []
  for (const [status, type, body] of replies) {
    const url = await serve((_, response) => {
      response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body)
    })
    outputs.push({
      status,
      type,
      body,
      outputs: [
        await runCommand(['world', '--url', url, 'show']),
        await runCommand(['verify', '--url', `${url}/v1`, '--key', 'sbx_free']),
        await runCommand(['pull', '--url', `${url}/v1`, '--key', 'sbx_free']),
      ],
    })
  }
  return outputs
}

/** Checks each file, and serves with it: only the first problem is printed. */
async function checkFiles() {
  const produced: Record<string, unknown> = {}
  for (const [name, content] of Object.entries(badScenarios)) {
    const directory = await createDirectory({ [`${name}.json`]: content })
    const file = join(directory, `${name}.json`)
    produced[name] = {
      check: await runCommand(['check', file]),
      serve: await runCommand(['serve', '--port', '0', '--scenario', file]),
    }
  }
  return produced
}
