// Server CPU time per request of the sandbox, of Express and of node:http, measured in one run.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sendMany } from './client.js'

const servers = ['sandbox', 'express', 'node-http']
const sizes = [10, 100, 1_000, 10_000]
const rounds = 5

const list = () => ({ method: 'GET', path: '/v1/inventory' })
const update = (pets) => (index) => ({
  method: 'PATCH',
  path: `/v1/inventory/${(index % pets) + 1}`,
  body: `{"quantity":${index % 1000}}`,
})
const alternate = (pets) => (index) => (index % 2 === 0 ? list() : update(pets)(index))

/** Prints a table of CPU microseconds per request. */
export async function benchRequests() {
  console.log('Server CPU per request in microseconds: median of', rounds, 'alternating rounds\n')
  console.log(row(['pets', 'request', ...servers, 'to express', 'to node']))
  for (const pets of sizes) {
    const running = await Promise.all(servers.map((name) => start(name, pets)))
    const count = pets > 1_000 ? 300 : 2_000
    await measure(running, 'GET', count, list)
    await measure(running, 'PATCH', 2_000, update(pets))
    await measure(running, 'GET, PATCH alternating', count, alternate(pets))
    for (const { child } of running) child.disconnect()
  }

  async function measure(running, title, count, toRequest) {
    const figures = running.map(() => [])
    for (const { port } of running) await sendMany(port, Math.min(count, 500), toRequest)
    for (let round = 0; round < rounds; round++) {
      for (const [index, server] of running.entries()) {
        const before = await cpu(server)
        await sendMany(server.port, count, toRequest)
        figures[index].push(((await cpu(server)) - before) / count)
      }
    }
    const [sandbox, express, node] = figures.map(median)
    const ratios = [sandbox / express, sandbox / node].map((ratio) => `${ratio.toFixed(2)} x`)
    const micros = [sandbox, express, node].map((figure) => figure.toFixed(0))
    console.log(row([running[0].pets, title, ...micros, ...ratios]))
  }
}

async function start(name, pets) {
  const file = fileURLToPath(new URL(`./servers/${name}.js`, import.meta.url))
  const child = fork(file, [String(pets)])
  const [{ port }] = await once(child, 'message')
  return { child, port, pets }
}

async function cpu({ child }) {
  child.send('cpu')
  const [{ cpuMicroseconds }] = await once(child, 'message')
  return cpuMicroseconds
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
}

function row(cells) {
  const widths = [7, 20, 9, 9, 10, 11, 9]
  return cells.map((cell, index) => String(cell).padStart(widths[index])).join(' ')
}
