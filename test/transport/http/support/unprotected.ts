import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Starts the middleware without protection, in a separate process that a request may end. */
export async function startUnprotected() {
  const path = fileURLToPath(new URL('unprotected-middleware.cjs', import.meta.url))
  const child = fork(path, { silent: true })
  onTestFinished(() => {
    child.kill()
  })
  const exited = once(child, 'exit').then(([code]) => Number(code))
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, exited }
}
