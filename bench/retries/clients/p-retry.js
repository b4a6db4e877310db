import pRetry from 'p-retry'
import { read } from './response-error.js'

export const title = 'p-retry'
export const packageNames = ['p-retry']

export const variants = { plain: {} }

export function run(options, urls, headers, init) {
  const send = (url) =>
    pRetry(() => read(url, headers, init), options).then(
      () => 200,
      (error) => error.status ?? error.message,
    )
  return Promise.all(urls.map(send))
}
