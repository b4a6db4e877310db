// Bundles a page of pages/ with several bundlers, minified, with their defaults for a page.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build as buildWithEsbuild, version as esbuildVersion } from 'esbuild'
import { build as buildWithVite, version as viteVersion } from 'vite'
import webpack from 'webpack'

/**
 * @typedef {object} Chunk
 * @property {string} name
 * @property {string} code
 * @property {boolean} isEager Whether the page loads it at its start, without a dynamic import.
 */

/** @type {Record<string, (page: string, nodeEnv: string) => Promise<Chunk[]>>} */
export const bundlers = {
  [`Vite ${viteVersion}`]: bundleWithVite,
  [`webpack ${webpack.version}`]: bundleWithWebpack,
  [`esbuild ${esbuildVersion}`]: bundleWithEsbuild,
}

/** @param {object} [optimization] Options of rolldown, which Vite uses. */
export async function bundleWithVite(page, nodeEnv, optimization) {
  // Vite sets the mode of React and others by this variable, and `process.env.NODE_ENV` in the page.
  process.env.NODE_ENV = nodeEnv
  const { output } = await buildWithVite({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      reportCompressedSize: false,
      rolldownOptions: { input: toPath(page), optimization },
    },
  })
  const chunks = output.filter(({ type }) => type === 'chunk')
  const eager = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of eager) {
    const { imports = [] } = chunks.find(({ fileName }) => fileName === name) ?? {}
    for (const imported of imports) eager.add(imported)
  }
  return chunks.map(({ fileName, code }) => ({
    name: fileName,
    code,
    isEager: eager.has(fileName),
  }))
}

function bundleWithWebpack(page, nodeEnv) {
  return inTemporaryFolder(async (folder) => {
    const stats = await runWebpack({
      mode: 'production',
      context: import.meta.dirname,
      entry: toPath(page),
      output: { path: folder },
      optimization: { nodeEnv },
      performance: false,
    })
    const { entrypoints } = stats.toJson({ all: false, entrypoints: true })
    return readChunks(folder, new Set(entrypoints.main.assets.map(({ name }) => name)))
  })
}

function runWebpack(config) {
  return new Promise((resolve, reject) => {
    webpack(config, (error, stats) => {
      if (error) reject(error)
      else if (stats.hasErrors()) reject(new Error(stats.toString('errors-only')))
      else resolve(stats)
    })
  })
}

function bundleWithEsbuild(page, nodeEnv) {
  return inTemporaryFolder(async (folder) => {
    const { metafile } = await buildWithEsbuild({
      absWorkingDir: import.meta.dirname,
      entryPoints: [toPath(page)],
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      metafile: true,
      define: { 'process.env.NODE_ENV': JSON.stringify(nodeEnv) },
      // Otherwise esbuild resolves the package by the tsconfig.json of this repository to its source.
      tsconfigRaw: {},
    })
    const paths = Object.keys(metafile.outputs)
    const eager = new Set(paths.filter((path) => basename(path) === `${page}.js`))
    for (const path of eager) {
      for (const { path: imported, kind } of metafile.outputs[path].imports) {
        if (kind === 'import-statement') eager.add(imported)
      }
    }
    return readChunks(folder, new Set([...eager].map((path) => basename(path))))
  })
}

function toPath(page) {
  return join(import.meta.dirname, `pages/${page}.js`)
}

/** @param {Set<string>} eager Names of the files that the page loads at its start. */
async function readChunks(folder, eager) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  return Promise.all(
    names.map(async (name) => ({
      name,
      code: await readFile(join(folder, name), 'utf8'),
      isEager: eager.has(name),
    })),
  )
}

async function inTemporaryFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bundle-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
