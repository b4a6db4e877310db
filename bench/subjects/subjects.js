// All subjects, in the order of the page docs/benchmarks.md.
import { fixture } from './fixture.js'
import { imports } from './import.js'
import { inProcess } from './in-process.js'
import { memory } from './memory.js'
import { page } from './page.js'
import { replicas } from './replicas.js'
import { requests } from './requests.js'
import { start } from './start.js'
import { stores } from './stores.js'
import { worlds } from './worlds.js'

/**
 * @typedef {object} Context
 * @property {import('../checkout.js').Checkout[]} checkouts The current one, and the baseline if any.
 * @property {import('../machine.js').NodeBinary[]} nodes The one that runs the benchmark first.
 * @property {string} directory For temporary files.
 */

/**
 * @typedef {object} Subject
 * @property {string} id
 * @property {string} title
 * @property {string} method What is measured, in which unit.
 * @property {(context: Context) => Promise<import('../results.js').SubjectResult>} run
 */

/** @type {Subject[]} */
export const subjects = [
  start,
  memory,
  imports,
  page,
  fixture,
  requests,
  inProcess,
  worlds,
  stores,
  replicas,
]
