// Other tools that serve the same list, and Express.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createItems } from './pets.js'

const versions = {
  mountebank: '2.9.1',
  'json-server': '0.17.4',
  // Later versions require Node.js 24.
  '@stoplight/prism-cli': '5.14.2',
  '@mockoon/cli': '9.9.0',
}

/** Express 5, with the list as it is sent by `res.json`. */
export const express = {
  toArguments: (port) => [join(import.meta.dirname, 'programs/express.js'), port],
}

/**
 * Prepares the tools and their files.
 *
 * @param {string} directory
 * @returns {Promise<Record<string, import('./processes.js').Server>>} By name.
 */
export async function preparePeers(directory) {
  const bin = await install(directory)
  const items = createItems(100)
  const write = (name, content) => {
    writeFileSync(join(directory, name), JSON.stringify(content))
    return join(directory, name)
  }
  const commands = {
    // The control API has a port of its own.
    mountebank: (port, controlPort) => [
      ...['mb', '--configfile', write('mountebank.json', createImposter(port, items)), '--noParse'],
      ...['--port', controlPort, '--pidfile', join(directory, 'mountebank.pid')],
      ...['--nologfile', '--loglevel', 'error'],
    ],
    'json-server': (port) => [
      ...['json-server', write('json-server.json', { inventory: items }), '--quiet'],
      ...['--routes', write('routes.json', { '/v1/*': '/$1' }), '--host', '127.0.0.1'],
      ...['--port', port],
    ],
    '@stoplight/prism-cli': (port) => [
      ...['prism', 'mock', write('prism.json', createDocument(items))],
      ...['--port', port, '--verboseLevel', 'silent'],
    ],
    '@mockoon/cli': (port) => [
      ...['mockoon-cli', 'start', '--data', write('mockoon.json', createEnvironment(items))],
      ...['--repair', '--hostname', '127.0.0.1', '--port', port, '--disable-log-to-file'],
    ],
  }
  return Object.fromEntries(
    Object.entries(commands).map(([name, toCommand]) => {
      const toArguments = (...ports) => {
        const [command, ...args] = toCommand(...ports)
        return [join(bin, command), ...args]
      }
      return [`${name} ${versions[name]}`, { toArguments }]
    }),
  )
}

/** npm installs the tools into its cache, unless they are there. Returns the folder of the commands. */
async function install(directory) {
  const packages = Object.entries(versions).map(([name, version]) => `--package=${name}@${version}`)
  const args = ['exec', '--yes', '--prefer-offline', ...packages, '-c', 'command -v mb']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: directory })
  return dirname(stdout.trim())
}

function createImposter(port, items) {
  const headers = { 'Content-Type': 'application/json' }
  const responses = [{ is: { statusCode: 200, headers, body: JSON.stringify(items) } }]
  const predicates = [{ equals: { method: 'GET', path: '/v1/inventory' } }]
  const stubs = [{ predicates, responses }]
  return { imposters: [{ protocol: 'http', host: '127.0.0.1', port, stubs }] }
}

/** The list as an example of an operation. */
function createDocument(items) {
  const content = { 'application/json': { schema: { type: 'array' }, example: items } }
  const get = { responses: { 200: { description: 'The list', content } } }
  return {
    openapi: '3.0.3',
    info: { title: 'Inventory', version: '1.0.0' },
    paths: { '/v1/inventory': { get } },
  }
}

/** The option --repair adds what Mockoon requires further. Without templates, it is twice as fast. */
function createEnvironment(items) {
  const headers = [{ key: 'Content-Type', value: 'application/json' }]
  const body = JSON.stringify(items)
  const responses = [{ statusCode: 200, headers, body, disableTemplating: true, default: true }]
  const routes = [{ type: 'http', method: 'get', endpoint: 'v1/inventory', responses }]
  return { uuid: 'bench', lastMigration: 33, name: 'bench', port: 0, routes }
}
