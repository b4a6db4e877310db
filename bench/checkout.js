// A built checkout of this package: this one, or an older one as a baseline.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The checkout that contains this file. */
export const root = resolve(import.meta.dirname, '..')

/**
 * @typedef {object} Checkout
 * @property {'new' | 'old'} label Column of its figures.
 * @property {string} directory
 * @property {string} commit Short hash, with a plus sign if files differ from it.
 * @property {string} bin File of the command line.
 * @property {Record<string, any>} exports The exports map of package.json.
 */

/**
 * @param {string} directory
 * @param {'new' | 'old'} label
 * @returns {Checkout}
 * @throws {Error} If the directory is not a built checkout of this package.
 */
export function openCheckout(directory, label) {
  const absolute = resolve(directory)
  const file = join(absolute, 'package.json')
  const found = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  if (found?.name !== 'petstore-sandbox') {
    throw new Error(`${absolute} is not a checkout of petstore-sandbox`)
  }
  const bin = join(absolute, found.bin['petstore-sandbox'])
  if (!existsSync(bin)) throw new Error(`${absolute} is not built: there is no ${bin}`)
  return { label, directory: absolute, commit: readCommit(absolute), bin, exports: found.exports }
}

/** Conditions of the exports map, in addition to `default`. */
const conditionsOf = { node: ['node', 'import'], browser: ['browser', 'import'] }

/**
 * Returns the file of an entry point.
 *
 * @param {Checkout} checkout
 * @param {string} entryPoint A key of the exports map, such as `./node`.
 * @param {'node' | 'browser'} platform
 */
export function findEntryFile({ directory, exports }, entryPoint, platform) {
  const file = resolveTarget(exports[entryPoint], [...conditionsOf[platform], 'default'])
  if (file === undefined) throw new Error(`${directory} has no entry point ${entryPoint}`)
  return join(directory, file)
}

/** Returns the entry points of a checkout that are modules with types. */
export function listEntryPoints({ exports }) {
  const paths = Object.keys(exports).filter((path) => !/\*|\.json$/.test(path))
  return paths.map((path) => ({
    path,
    name: path === '.' ? 'index' : path.slice(2),
    // An entry point for Node.js has a condition that keeps it out of pages.
    isForBrowser: exports[path].browser === undefined,
  }))
}

/** Resolves a target as Node.js does: the first condition that applies and has a target. */
function resolveTarget(target, conditions) {
  if (typeof target === 'string') return target
  for (const [condition, nested] of Object.entries(target ?? {})) {
    const found = conditions.includes(condition) ? resolveTarget(nested, conditions) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function readCommit(directory) {
  const git = (...args) =>
    execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    // A copy of the package inside another repository has no commit of its own.
    if (git('rev-parse', '--show-toplevel') !== realpathSync(directory)) return 'unknown'
    const changes = git('status', '--porcelain', '--', ':!docs/benchmarks.md')
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}
