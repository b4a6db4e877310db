import type { Terminal } from '../terminal.js'

/**
 * Waits for a signal to stop, closes, and resolves once all is closed. A second signal ends the
 * process at once, with the exit code that shells give to it.
 *
 * @param close Takes no more calls and resolves when those in flight are answered.
 */
export function stopOnSignal(terminal: Terminal, close: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false
    const end = terminal.onStopSignal((signal) => {
      if (isStopping) {
        terminal.exit(signal === 'SIGINT' ? 130 : 143)
        return
      }
      isStopping = true
      close().then(resolve, reject).finally(end)
    })
  })
}
