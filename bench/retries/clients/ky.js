import ky from 'ky'

export const title = 'ky'
export const packageNames = ['ky']

const plain = {}

// #region configured
const configured = { retry: { afterStatusCodes: [413, 429] } }
// #endregion

export const variants = { plain, configured }

export function run(options, urls, headers, init) {
  const client = ky.create({ headers, ...options })
  const send = (url) =>
    client(url, init).then(
      ({ status }) => status,
      (error) => error.response?.status ?? error.message,
    )
  return Promise.all(urls.map(send))
}
