// Time from the start of the process to its first response, and the share of each dependency.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url))
const rounds = 7
// Below the range of ephemeral ports.
const firstPort = 14_100

/** Prints the time to the first response and the import time of each dependency. */
export async function benchStartUp() {
  const times = []
  for (let round = 0; round < rounds; round++)
    times.push(await timeFirstResponse(firstPort + round))
  console.log(
    `\nStart of \`serve\` to its first response: median ${median(times).toFixed(0)} ms of ${rounds} starts`,
  )
  console.log('Import time of each dependency in a separate process, beyond the start of Node.js:')
  const bare = await timeNode('')
  const names = ['@mswjs/data', 'msw', 'zod', 'commander', 'express', '@faker-js/faker/locale/en']
  for (const name of names) {
    const cost = (await timeNode(`import(${JSON.stringify(name)})`)) - bare
    console.log(`  ${name.padEnd(26)} ${cost.toFixed(0).padStart(5)} ms`)
  }
  console.log(`  (Node.js itself            ${bare.toFixed(0).padStart(5)} ms)`)
}

async function timeFirstResponse(port) {
  const started = performance.now()
  const child = spawn(process.execPath, [cli, 'serve', '--port', String(port), '--log', 'silent'])
  while (!(await isServing(port))) {
    if (child.exitCode !== null) throw new Error(`serve exited with ${child.exitCode}`)
  }
  const time = performance.now() - started
  child.kill('SIGTERM')
  await once(child, 'exit')
  return time
}

function isServing(port) {
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
