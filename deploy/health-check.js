// Checks the server of a container: node health-check.js [file with its command line]
import { readFile } from 'node:fs/promises'

/** Returns the port of `serve`, from its arguments or else from the variables that it reads. */
function readPort(words, { PETSTORE_SANDBOX_PORT, PORT }) {
  const isShort = (word) => word.startsWith('-p')
  const at = words.findLastIndex((word) => /^(--port(=|$)|-p)/.test(word))
  if (at < 0) return PETSTORE_SANDBOX_PORT || PORT || '4010'
  const word = words[at]
  return word.replace(isShort(word) ? /^-p/ : /^--port=?/, '') || words[at + 1]
}

// The first process of the container, with its arguments. This process has the same variables.
const commandLine = await readFile(process.argv[2] ?? '/proc/1/cmdline', 'utf8')
const port = readPort(commandLine.split('\0'), process.env)
const isHealthy = await fetch(`http://127.0.0.1:${port}/healthz`).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isHealthy ? 0 : 1)
