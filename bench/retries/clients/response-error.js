// #region error
/** The error of a response that is not successful. */
export class ResponseError extends Error {
  constructor({ status, headers }) {
    super(`the service responded with ${status}`)
    this.status = status
    const seconds = headers.get('Retry-After')
    this.retryAfterMs = seconds === null ? undefined : Number(seconds) * 1000
  }
}

export async function read(url, headers, init) {
  const response = await fetch(url, { headers, ...init })
  if (!response.ok) throw new ResponseError(response)
  return response.json()
}
// #endregion
