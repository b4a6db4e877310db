// Counts the functions of the source that one warm request over HTTP calls, by file, until 200 ms after
// its response. Compiles the source without bundling, so that it counts files and functions of the source.
// Prints a JSON object; with --list, text for developers.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const root = dirname(dirname(import.meta.dirname))

const requests = [
  { method: 'GET', path: '/inventory' },
  { method: 'PATCH', path: '/inventory/1', body: '{"quantity":5}' },
]

// Node resolves the imported packages only from a folder inside the project.
const folder = mkdtempSync(join(root, '.count-'))
try {
  const counts = await countRequests(compile())
  console.log(process.argv.includes('--list') ? toText(counts) : JSON.stringify(counts))
} finally {
  rmSync(folder, { recursive: true })
}

/** Compiles src/server.ts and what it imports. Returns the URL of the compiled src folder. */
function compile() {
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: { noEmit: false, rootDir: '..', outDir: '.' },
    files: ['../src/server.ts'],
    include: ['../src/**/*.d.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', folder], { stdio: ['ignore', 2, 2] })
  return pathToFileURL(join(folder, 'src/')).href
}

/** Returns the number of called functions by file, by request. */
async function countRequests(source) {
  const { createSandboxServer } = await import(`${source}server.js`)
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0 })
  // One connection, so that the counted request does not open another.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const counts = {}
  for (const { method, path, body } of requests) {
    const run = () => send(`${url}/v1${path}`, { method, agent }, body)
    // The first requests fill caches: the headers of a connection are validated until they were sent twice.
    for (let sent = 0; sent < 4; sent++) await run()
    counts[`${method} ${path}`] = toCounts(await profile(session, run), source)
  }
  session.disconnect()
  agent.destroy()
  await server.close()
  return counts
}

/** Sends a request. Returns 200 ms after its response. */
async function send(url, options, body) {
  const type = body && { 'Content-Type': 'application/json' }
  const headers = { Authorization: 'Bearer sbx_enterprise', ...type }
  await new Promise((resolve, reject) => {
    const sent = request(url, { ...options, headers }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${url} responds with ${response.statusCode}`))
      response.resume().on('close', resolve)
    })
    sent.on('error', reject).end(body)
  })
  await setTimeout(200)
}

/** Returns the coverage of the functions that a call of `run` calls. */
async function profile(session, run) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  return result
}

/** Returns the number of called functions by source file. The code of a module itself does not count. */
function toCounts(coverage, source) {
  const counts = coverage
    .filter(({ url }) => url.startsWith(source))
    .map(({ url, functions }) => {
      const called = functions.filter(
        ({ ranges: [{ startOffset, count }] }) => startOffset && count,
      )
      return [url.slice(source.length).replace(/js$/, 'ts'), called.length]
    })
  return Object.fromEntries(counts.filter(([, called]) => called > 0).toSorted())
}

function toText(counts) {
  return Object.entries(counts)
    .map(([name, files]) => {
      const lines = Object.entries(files).map(([file, called]) => `  ${called} ${file}`)
      const total = Object.values(files).reduce((sum, called) => sum + called, 0)
      return [`${name}: ${lines.length} files, ${total} functions`, ...lines].join('\n')
    })
    .join('\n')
}
