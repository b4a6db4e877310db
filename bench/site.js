// A static server for bundled pages, without compression and caching.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { root } from './checkout.js'

const workerFile = join(root, 'node_modules/msw/lib/mockServiceWorker.js')
/**
 * Serves each bundle as a page on its own origin, so that each has its own service worker.
 *
 * @param {Record<string, { chunks: { fileName: string, isEntry: boolean, imports: string[], code: string }[] }>} bundles
 * @returns {Promise<{ urls: Record<string, string>, close: () => void }>}
 */
export async function serveModules(bundles) {
  const worker = await readFile(workerFile, 'utf8')
  const servers = []
  const urls = {}
  for (const [name, { chunks }] of Object.entries(bundles)) {
    const server = createStaticServer(toFiles(chunks, worker))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    urls[name] = `http://127.0.0.1:${server.address().port}/`
  }
  const close = () => {
    for (const server of servers) server.close().closeAllConnections()
  }
  return { urls, close }
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

/** @param {Map<string, string>} files By path. */
function createStaticServer(files) {
  return createServer((req, res) => {
    const type = req.url === '/' ? 'text/html' : 'text/javascript'
    const found = files.get(req.url)
    res.writeHead(found === undefined ? 404 : 200, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
    })
    res.end(found)
  })
}
