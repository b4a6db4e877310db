// The order of measurements, and the rows that result.
import { readdir, readFile } from 'node:fs/promises'
import { sendMany } from './client.js'

/**
 * Runs every contender once per round. The order is reversed in every second round, so that a slow
 * phase of the machine does not always affect the same contender.
 *
 * @template Sample
 * @param {number} rounds
 * @param {Record<string, () => Promise<Sample>>} contenders
 * @returns {Promise<Record<string, Sample[]>>} One sample per round and contender.
 */
export async function alternate(rounds, contenders) {
  const names = Object.keys(contenders)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) samples[name].push(await contenders[name]())
  }
  return samples
}

/**
 * Measures the CPU time per request of servers in µs, in each round.
 *
 * @param {Record<string, { pids: number[], toRequest: (index: number) => import('./client.js').BenchRequest }>} contenders
 * A contender consists of one or more processes.
 * @param {{ rounds: number, count: number, warmUp: number, connections?: number }} options
 * `warmUp` is the number of requests after which V8 has optimized the code.
 */
export async function measureCpu(contenders, { rounds, count, warmUp, connections }) {
  const measured = {}
  for (const [name, { pids, toRequest }] of Object.entries(contenders)) {
    await sendMany(warmUp, toRequest, connections)
    measured[name] = async () => {
      const before = await readCpuMicroseconds(pids)
      await sendMany(count, toRequest, connections)
      return ((await readCpuMicroseconds(pids)) - before) / count
    }
  }
  return alternate(rounds, measured)
}

/** Returns the CPU time of all threads of processes. Requires Linux. */
async function readCpuMicroseconds(pids) {
  let nanoseconds = 0
  for (const pid of pids) {
    for (const thread of await readdir(`/proc/${pid}/task`)) {
      const [onCpu] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')
      nanoseconds += Number(onCpu)
    }
  }
  return nanoseconds / 1_000
}

/** Returns the resident memory of a process in MB (10⁶ bytes). Requires Linux. */
export async function readResidentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(status)
  return (Number(kib) * 1_024) / 1e6
}

/** @param {number[]} figures */
export function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
}

/**
 * A figure and one of the three targets.
 *
 * @typedef {object} Row
 * @property {string} figure
 * @property {string} unit
 * @property {number[]} own One sample per round.
 * @property {{ name: string, samples: number[] }} [reference]
 * @property {number} [times] Target: maximum ratio to the reference.
 * @property {number} [more] Target: maximum difference from the reference.
 * @property {number} [atMost] Target: maximum figure.
 */

/**
 * Compares a figure with its target. A ratio or a difference is the median over the rounds: a slow
 * phase of the machine changes both samples of a round.
 *
 * @param {Row} row
 */
export function assess({ own, reference, times, more, atMost }) {
  const compare = (toFigure) =>
    reference && median(own.map((sample, round) => toFigure(sample, reference.samples[round])))
  const ratio = compare((sample, other) => sample / other)
  const difference = compare((sample, other) => sample - other)
  if (times !== undefined) return { ratio, isMet: ratio <= times }
  if (more !== undefined) return { difference, isMet: difference <= more }
  return { isMet: median(own) <= atMost }
}
