/** A `sleep` that resolves when the test calls `wake`, or its signal is aborted. */
export function createSleep() {
  let wake = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  let fellAsleep = () => {}
  const asleep = new Promise<void>((resolve) => {
    fellAsleep = resolve
  })
  const sleep = (_ms: number, signal?: AbortSignal) => {
    fellAsleep()
    const aborted = new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve())
    })
    return Promise.race([woken, aborted])
  }
  return { sleep, wake, asleep }
}
