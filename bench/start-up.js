// How long from the start of the process to its first answer, and what each dependency costs of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url))
const rounds = 7
// Below the ports that a system gives to outgoing connections.
const firstPort = 14_100

/** Prints the time to the first answer and the import time of each dependency. */
export async function benchStartUp() {
  const times = []
  for (let round = 0; round < rounds; round++) times.push(await timeFirstAnswer(firstPort + round))
  console.log(
    `\nStart of \`serve\` to its first answer: median ${median(times).toFixed(0)} ms of ${rounds} starts`,
  )
  console.log('Importing alone, each in a process of its own, over a bare start of Node:')
  const bare = await timeNode('')
  const names = ['@mswjs/data', 'msw', 'zod', 'commander', 'express', '@faker-js/faker/locale/en']
  for (const name of names) {
    const cost = (await timeNode(`import(${JSON.stringify(name)})`)) - bare
    console.log(`  ${name.padEnd(26)} ${cost.toFixed(0).padStart(5)} ms`)
  }
  console.log(`  (Node itself               ${bare.toFixed(0).padStart(5)} ms)`)
}

async function timeFirstAnswer(port) {
  const started = performance.now()
  const child = spawn(process.execPath, [cli, 'serve', '--port', String(port), '--log', 'silent'])
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`)
  }
  const time = performance.now() - started
  child.kill('SIGTERM')
  await once(child, 'exit')
  return time
}

function answers(port) {
  const options = { port, path: '/v1/inventory', headers: { Authorization: 'Bearer sbx_free' } }
  return new Promise((resolve) => {
    get(options, (res) => res.resume().on('end', () => resolve(res.statusCode === 200))).on(
      'error',
      () => setTimeout(resolve, 2, false),
    )
  })
}

async function timeNode(code) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    })
    await once(child, 'exit')
    times.push(performance.now() - started)
  }
  return median(times)
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
}
