import Bottleneck from 'bottleneck'
import { read } from './response-error.js'

export const title = 'bottleneck'
export const packageNames = ['bottleneck']

export const variants = { plain: {} }

export function run(options, urls, headers, init) {
  const limiter = new Bottleneck(options)
  const send = (url) =>
    limiter
      .schedule({ id: url }, () => read(url, headers, init))
      .then(
        () => 200,
        (error) => error.status ?? error.message,
      )
  return Promise.all(urls.map(send))
}
