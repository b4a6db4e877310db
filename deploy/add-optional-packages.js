// Adds the optional packages that a server can use to the dependencies of package.json, in the
// versions of package-lock.json, so that npm ci --omit=dev installs them.
import { readFile, writeFile } from 'node:fs/promises'

const packages = ['@redis/client', 'classic-level', 'prom-client']

const file = new URL('../package.json', import.meta.url)
const manifest = JSON.parse(await readFile(file, 'utf8'))
for (const name of packages) {
  manifest.dependencies[name] = manifest.devDependencies[name]
  delete manifest.devDependencies[name]
}
await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
