import { Window } from 'happy-dom'

export const title = 'SWR'
export const packageNames = ['swr']
/** It repeats queries; mutations are sent once. */
export const onlyReads = true

const plain = {}

// #region configured
const configured = {
  onErrorRetry(error, _key, _config, revalidate, { retryCount }) {
    if (retryCount > 3) return
    const delayMs = error.retryAfterMs ?? Math.min(1000 * 2 ** retryCount, 30_000)
    setTimeout(() => revalidate({ retryCount }), delayMs)
  },
}
// #endregion

export const variants = { plain, configured }

/** Renders a component for each URL. Resolves when all have data; SWR itself never gives up. */
export async function run(configuration, urls, headers) {
  const window = new Window({ url: 'http://localhost/' })
  const { document, navigator } = window
  for (const [name, value] of Object.entries({ window, document, navigator })) {
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
  const { renderItems } = await import('./swr-items.js')
  const element = document.body.appendChild(document.createElement('div'))
  return new Promise((resolve) => {
    let pending = urls.length
    renderItems(element, configuration, urls, headers, () => {
      pending -= 1
      if (pending === 0) resolve(urls.map(() => 200))
    })
  })
}
