import type { JournalEntry } from '../../world/journal/journal.js'
import { createPaint, type Paint, type Style } from '../colour.js'
import { toPlainLine } from '../plain-line.js'
import type { Terminal } from '../terminal.js'
import { type ServeLog, toReason } from './serve-log.js'
import type { StartUp } from './start-up.js'

/** Tells everything in lines for people. */
export function createPrettyLog(terminal: Terminal, now: () => number): ServeLog {
  const { stdout, stderr, env } = terminal
  const paint = createPaint(stdout, env)
  const paintError = createPaint(stderr, env)
  const time = () => new Date(now()).toTimeString().slice(0, 8)
  return {
    started: (startUp) => stdout.write(toBanner(startUp, paint)),
    called: (entry) => stdout.write(`${paint('dim', time())}  ${toCallLine(entry, paint)}\n`),
    noted: (line) => stdout.write(`${paint('dim', time())}  ${toPlainLine(line)}\n`),
    failed: (line) => stderr.write(`${time()}  ${paintError('red', toPlainLine(line))}\n`),
  }
}

function toBanner({ scenario, isPublic, urls, keys, curl }: StartUp, paint: Paint): string {
  const row = (label: string, value: string, note = '') =>
    `  ${label.padEnd(12)}${value}${note && paint('dim', `  ${note}`)}`
  return [
    `${paint('bold', 'petstore-sandbox')} serves the scenario ${paint('bold', scenario)}`,
    ...(isPublic ? [paint('yellow', 'Other machines can reach it.')] : []),
    '',
    row('API', paint('cyan', urls.api)),
    row('Staging', paint('cyan', urls.staging)),
    row('Quickstart', paint('cyan', urls.quickstart)),
    row('Console', paint('cyan', urls.console)),
    row('OpenAPI', paint('cyan', urls.openapi)),
    '',
    row('Keys', keys.here.join('  '), 'this scenario, on each plan'),
    row('', keys.elsewhere, 'another scenario; petstore-sandbox scenarios lists them'),
    row('', 'petstore-sandbox key', 'prints a key to a world of its own'),
    '',
    row('Try', curl),
    row('Stop', 'Ctrl+C'),
    '',
    '',
  ].join('\n')
}

function toCallLine(entry: JournalEntry, paint: Paint): string {
  const { status, operation, method, path, address, durationMs, apiKey } = entry
  const where = address === 'api' ? '' : ` (${address})`
  const reason = toReason(entry)
  const parts = [
    paint(toStyle(status), status === 0 ? '---' : String(status)),
    (operation ?? 'no operation').padEnd(15),
    `${toPlainLine(`${method} ${path}`)}${where}`,
    paint('dim', `${durationMs.toFixed(1)} ms`),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
  ]
  return [...parts, ...(reason ? [toPlainLine(reason)] : [])].join('  ')
}

function toStyle(status: number): Style {
  if (status >= 500 || status === 0) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
