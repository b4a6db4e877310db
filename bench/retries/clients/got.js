import got from 'got'

export const title = 'got'
export const packageNames = ['got']

export const variants = { plain: {} }

export function run(options, urls, headers, init) {
  const client = got.extend({ headers, ...options })
  const send = (url) =>
    client(url, init).then(
      ({ statusCode }) => statusCode,
      (error) => error.response?.statusCode ?? error.message,
    )
  return Promise.all(urls.map(send))
}
