import axios from 'axios'
import axiosRetry from 'axios-retry'

export const title = 'axios with axios-retry'
export const packageNames = ['axios', 'axios-retry']

const plain = {}

// #region configured
const configured = {
  retryDelay: (count, error) => axiosRetry.exponentialDelay(count, error, 1000),
}
// #endregion

export const variants = { plain, configured }

export function run(options, urls, headers, { method = 'GET', body } = {}) {
  const client = axios.create({ headers })
  axiosRetry(client, options)
  const send = (url) =>
    client({ url, method, data: body }).then(
      ({ status }) => status,
      (error) => error.response?.status ?? error.message,
    )
  return Promise.all(urls.map(send))
}
