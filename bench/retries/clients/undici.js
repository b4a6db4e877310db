import { Agent, fetch, RetryAgent } from 'undici'

export const title = 'undici RetryAgent'
export const packageNames = ['undici']

export const variants = { plain: {} }

export function run(options, urls, headers, { method = 'GET', body } = {}) {
  const dispatcher = new RetryAgent(new Agent(), options)
  const send = async (url) => {
    try {
      const response = await fetch(url, { method, body, headers, dispatcher })
      await response.text()
      return response.status
    } catch (error) {
      return error.cause?.statusCode ?? error.cause?.code ?? error.message
    }
  }
  return Promise.all(urls.map(send))
}
