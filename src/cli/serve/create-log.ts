import type { Terminal } from '../terminal.js'
import { createJsonLog } from './json-log.js'
import { createPrettyLog } from './pretty-log.js'
import type { ServeLog } from './serve-log.js'
import type { ServeOptions } from './serve-options.js'

/** The log in the style that was asked for; a silent one leaves out only the calls. */
export function createLog(style: ServeOptions['log'], terminal: Terminal, now: () => number) {
  const log: ServeLog =
    style === 'json' ? createJsonLog(terminal, now) : createPrettyLog(terminal, now)
  return style === 'silent' ? { ...log, called: () => {} } : log
}
