// What a page loads, and the package.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { measureMsw, measurePage, root } from '../bundle.js'

export async function measureSizes() {
  const page = await measurePage('./browser')
  const connect = (await measurePage('./connect')).eagerKib - (await measureMsw()).eagerKib
  const { kilobytes, files } = await measurePackage()
  return {
    rows: [
      {
        figure: 'a page with msw and the sandbox',
        unit: 'KiB gzip',
        own: [page.eagerKib],
        atMost: 250,
      },
      { figure: 'the entry point `connect`', unit: 'KiB gzip', own: [connect], atMost: 12 },
      { figure: 'the package without pictures', unit: 'kB', own: [kilobytes], atMost: 900 },
      { figure: 'files of the package without pictures', unit: '', own: [files], atMost: 300 },
    ],
  }
}

/** Measures what `npm publish` would upload. */
async function measurePackage() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 2 ** 24 })
  const [{ size, files }] = JSON.parse(stdout)
  const pictures = files.filter(({ path }) => /\.(?:png|svg)$/.test(path))
  let bytes = size
  for (const { path } of pictures) bytes -= gzipSync(await readFile(join(root, path))).byteLength
  return { kilobytes: bytes / 1_000, files: files.length - pictures.length }
}
