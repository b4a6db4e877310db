// The child's side of bench/processes.js.

/**
 * Tells the parent process that this program is ready, and answers each of its messages. Exits when
 * the parent disconnects.
 *
 * @param {any} ready First message to the parent process.
 * @param {(message: any) => any} respond
 */
export function answerParent(ready, respond) {
  process.on('message', async (message) => process.send((await respond(message)) ?? null))
  process.on('disconnect', () => process.exit(0))
  process.send(ready)
}

/** Returns the CPU time of this process in microseconds. */
export function readCpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}
