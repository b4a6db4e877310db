import { setTimeout as sleep } from 'node:timers/promises'

/** Creates a client. All times are in milliseconds. */
export function createClient({ apiKey, retries = 4, backOffMs = 500, timeoutMs = 10_000 }) {
  async function sendOnce(method, url, body) {
    const response = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfterMs = Number(response.headers.get('Retry-After')) * 1000
    return { status: response.status, text: await response.text(), retryAfterMs }
  }

  return async function send(method, url, body) {
    for (let attempt = 1; ; attempt += 1) {
      const lost = (error) => ({ status: 0, text: String(error), retryAfterMs: 0 })
      const { status, text, retryAfterMs } = await sendOnce(method, url, body).catch(lost)
      if (status >= 200 && status < 300) return parse(text)
      // The service has not processed a 429. After a lost response or a 5xx, it may have.
      const isSafe = status === 429 || ((status === 0 || status >= 500) && method !== 'POST')
      if (!isSafe || attempt > retries) throw new Error(`${method} ${url}: ${status} ${text}`)
      // The random part spreads the retries of several requests.
      await sleep((retryAfterMs || backOffMs * 2 ** (attempt - 1)) * (1 + Math.random() / 4))
    }
  }
}

/** Parses JSON, and keeps the ids as strings: `JSON.parse` would round an int64. */
function parse(text) {
  return JSON.parse(text.replaceAll(/"(petId|id)":(\d+)/g, '"$1":"$2"'))
}
