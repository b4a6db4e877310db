// Statistics and the order of measurements.

/**
 * Runs every contender once per round. The order is reversed in every second round, so that a slow
 * phase of the machine does not always affect the same contender.
 *
 * @template Sample
 * @param {number} rounds
 * @param {Record<string, () => Promise<Sample> | Sample>} contenders
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
 * Like {@link alternate}, with further rounds of the contenders whose ratio has a target, because
 * single rounds differ by a third.
 *
 * @template Sample
 * @param {{ all: number, compared: number }} rounds Number of rounds of all, and of further ones.
 * @param {Record<string, () => Promise<Sample> | Sample>} contenders
 * @param {string[]} compared Names of the contenders in the further rounds.
 * @returns {Promise<Record<string, Sample[]>>}
 */
export async function alternateCompared(rounds, contenders, compared) {
  const samples = await alternate(rounds.all, contenders)
  const chosen = Object.fromEntries(compared.map((name) => [name, contenders[name]]))
  const further = await alternate(rounds.compared, chosen)
  for (const [name, list] of Object.entries(further)) samples[name].push(...list)
  return samples
}

/**
 * Returns a contender per checkout: `new`, and `old` if there is a baseline.
 *
 * @template Sample
 * @param {import('./checkout.js').Checkout[]} checkouts
 * @param {(checkout: import('./checkout.js').Checkout) => Promise<Sample>} measure
 */
export function forEachCheckout(checkouts, measure) {
  return Object.fromEntries(checkouts.map((checkout) => [checkout.label, () => measure(checkout)]))
}

/** Returns the samples of one of several figures that were measured together. */
export function pick(samples, figure) {
  const entries = Object.entries(samples)
  return Object.fromEntries(
    entries.map(([name, list]) => [name, list.map((sample) => sample?.[figure])]),
  )
}

/** @param {number[]} figures */
export function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
}
