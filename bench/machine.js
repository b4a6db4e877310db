// The conditions of a measurement.
import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'

/**
 * @typedef {object} NodeBinary
 * @property {string} path
 * @property {string} version Without the leading v.
 * @property {number} major
 */

/**
 * @param {string} path
 * @returns {NodeBinary}
 * @throws {Error} If it cannot be executed.
 */
export function openNode(path) {
  const version = execFileSync(path, ['--print', 'process.versions.node'], { encoding: 'utf8' })
  return { path, version: version.trim(), major: Number.parseInt(version, 10) }
}

/** Returns date, commits, machine and versions, and a warning if other programs use the processors. */
export function describeConditions({ checkouts, nodes }) {
  const [current, baseline] = checkouts
  const date = new Date().toISOString().slice(0, 10)
  const cores = cpus()
  const versions = nodes.map(({ version }) => version).join(' and ')
  const old = baseline ? ` “Old” is commit ${baseline.commit}.` : ''
  const model = cores[0].model.replaceAll(/\((?:R|TM)\)/g, '')
  return `Measured on ${date} with commit ${current.commit} on ${cores.length} cores (${model}), Node.js ${versions}.${old}${describeLoad()}`
}

function describeLoad() {
  const [load] = loadavg()
  if (load < 0.5) return ''
  return ` The load average was ${load.toFixed(1)} before the start: other programs affect the figures.`
}
