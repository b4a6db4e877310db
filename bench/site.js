// Pages in a Chromium that no debugger is attached to: with one, V8 records more about each error, and
// the first error of a page takes 20 ms more.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from './checkout.js'

const workerFile = join(root, 'node_modules/msw/lib/mockServiceWorker.js')
const timeoutMs = 30_000

/** Reports the time since the navigation, and visits the page that the response names. */
export const reportTime = `
const report = await fetch('/report', { method: 'POST', body: String(performance.now()) })
location.replace(await report.text())`

/** Code of the page that the browser shows first. It waits for the first visit. */
const idlePage = `<!doctype html><script type="module">
location.replace(await (await fetch('/report', { method: 'POST' })).text())
</script>`

/**
 * Starts Chromium, calls a function that can visit pages, and stops Chromium.
 *
 * @template Result
 * @param {object} options
 * @param {string} options.chromium Path of the program.
 * @param {string[]} options.args Its arguments.
 * @param {string} options.directory Directory for its profile.
 * @param {Record<string, Bundle>} options.bundles By name. Each calls {@link reportTime} once.
 * @param {(visitTwice: (name: string) => Promise<{ first: number, repeated: number }>) => Promise<Result>} run
 * `visitTwice` visits a page at an origin that the browser has not seen, and then again. Resolves to
 * the times in ms.
 * @returns {Promise<Result>}
 *
 * @typedef {{ chunks: { fileName: string, isEntry: boolean, imports: string[], code: string }[] }} Bundle
 */
export async function withPages({ chromium, args, directory, bundles }, run) {
  const worker = await readFile(workerFile, 'utf8')
  const files = new Map([['idle', new Map([['/', idlePage]])]])
  for (const [name, { chunks }] of Object.entries(bundles)) {
    files.set(toLabel(name), toFiles(chunks, worker))
  }
  const visitor = new Visitor()
  const server = createServer((req, res) => {
    if (req.url === '/report') return visitor.receive(req, res)
    const [label] = req.headers.host.split('-')
    send(res, files.get(label)?.get(req.url), req.url === '/' ? 'text/html' : 'text/javascript')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  // Chromium resolves all names below localhost to this machine, and trusts them like https.
  const toUrl = (label, number) => `http://${label}-${number}.localhost:${port}/`
  const profile = `--user-data-dir=${directory}/profile`
  const browserArgs = [...args, '--headless', profile, toUrl('idle', 0)]
  const browser = spawn(chromium, browserArgs, { stdio: 'ignore', detached: true })
  let visits = 0
  try {
    return await run(async (name) => {
      const url = toUrl(toLabel(name), ++visits)
      return { first: await visitor.visit(url), repeated: await visitor.visit(url) }
    })
  } finally {
    const exit = once(browser, 'exit')
    // All processes of the browser.
    process.kill(-browser.pid, 'SIGKILL')
    await exit
    server.close().closeAllConnections()
  }
}

/** Sends a browser from page to page. */
class Visitor {
  /** Sends the browser to a URL. Undefined while no page waits for the next one. */
  #leave
  #leaving = this.#expectPage()
  #resolveTime = () => {}

  /** Visits a URL. Resolves to the time that the page reports. */
  async visit(url) {
    const leave = await withTimeout(this.#leaving, 'the page before')
    this.#leaving = this.#expectPage()
    const time = new Promise((resolve) => (this.#resolveTime = resolve))
    leave(url)
    return withTimeout(time, url)
  }

  /** Receives the report of a page, which then waits for the response. */
  async receive(req, res) {
    this.#resolveTime(Number(await text(req)))
    this.#leave((url) => send(res, url, 'text/plain'))
  }

  #expectPage() {
    return new Promise((resolve) => (this.#leave = resolve))
  }
}

async function withTimeout(promise, page) {
  let timer
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${page} sent no report`)), timeoutMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a name as the first part of a host. */
function toLabel(name) {
  return name.replaceAll(/\W+/g, '').toLowerCase()
}

/** Returns the content of each path. The page preloads what its script imports, as Vite's do. */
function toFiles(chunks, worker) {
  const entry = chunks.find(({ isEntry }) => isEntry)
  const preloads = entry.imports.map((name) => `<link rel="modulepreload" href="/${name}">`)
  const html = `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Bench</title>
<script type="module" src="/${entry.fileName}"></script>${preloads.join('')}</head><body></body></html>`
  const scripts = chunks.map(({ fileName, code }) => [`/${fileName}`, code])
  return new Map([['/', html], ['/mockServiceWorker.js', worker], ...scripts])
}

/** Sends a file, without compression and caching. */
function send(res, content, type) {
  res.writeHead(content === undefined ? 404 : 200, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
  })
  res.end(content)
}
