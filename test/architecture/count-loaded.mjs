// Prints the source files that a process has loaded after each step, as a JSON object: after the import
// of the package, after the first response of a sandbox, and after the first of its control API.
import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'

const session = new Session()
session.connect()
const files = new Set()
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (url.includes('/dist/esm/')) files.add(url)
})
session.post('Debugger.enable')

const { createSandbox } = await import('../../dist/esm/index.js')
const imported = await listSources()
const sandbox = await createSandbox()
await request(sandbox.bases.api.text, '/inventory')
const served = await listSources()
await request(sandbox.bases.control.text, '/clock')
const controlled = await listSources()
console.log(JSON.stringify({ imported, served, controlled }))

async function request(base, path) {
  const { status } = await sandbox.fetch(`${base}${path}`, {
    headers: { Authorization: 'Bearer sbx_enterprise' },
  })
  if (status !== 200) throw new Error(`${base}${path} responds with ${status}`)
}

/** A comment with its path precedes each file in a bundle. */
async function listSources() {
  const bundles = await Promise.all([...files].map((url) => readFile(fileURLToPath(url), 'utf8')))
  return bundles.flatMap((code) => [...code.matchAll(/^\/\/ src\/(.*)$/gm)].map(([, path]) => path))
}
