import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startProgram } from '../../support/program.js'
import { findFreePort } from '../../support/server.js'
import { createDirectory, requireProgram, root, runFile } from './programs.js'

/** A running nginx with the configuration of deploy/nginx.conf. */
export interface Nginx {
  readonly port: number
  /** Path of the certificate of sandbox.example. */
  readonly certificate: string
  /** Returns the log of errors. */
  readErrors(): Promise<string>
}

/** How a test changes deploy/nginx.conf. */
export interface NginxSettings {
  /** Address of each replica: `127.0.0.1:4010`. */
  readonly replicas: readonly string[]
  /** Directives in place of others, by their text. */
  readonly replaced?: Readonly<Record<string, string>>
}

/** Writes the configuration with local addresses and paths, and returns its path. */
async function writeConfiguration(
  directory: string,
  { replicas, replaced = {} }: NginxSettings,
): Promise<{ file: string; port: number; certificate: string }> {
  const [certificate, key] = [join(directory, 'fullchain.pem'), join(directory, 'privkey.pem')]
  await createCertificate(certificate, key)
  const port = await findFreePort()
  const local: Record<string, string> = {
    'pid /var/run/nginx.pid': `pid ${directory}/nginx.pid`,
    'access_log /dev/stdout': `${toTemporaryPaths(directory)} access_log ${directory}/access.log`,
    'error_log /dev/stderr': `error_log ${directory}/error.log`,
    // A second free port could be the first again.
    'listen 80': `listen unix:${directory}/plain.sock`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/nginx/tls/fullchain.pem': certificate,
    '/etc/nginx/tls/privkey.pem': key,
    ...Object.fromEntries(replicas.map((address, at) => [`sandbox-${at + 1}:4010`, address])),
    ...replaced,
  }
  let text = await readFile(join(root, 'deploy/nginx.conf'), 'utf8')
  for (const [from, to] of Object.entries(local)) {
    if (!text.includes(from)) throw new Error(`deploy/nginx.conf does not contain ${from}`)
    text = text.replace(from, to)
  }
  const file = join(directory, 'nginx.conf')
  await writeFile(file, text)
  return { file, port, certificate }
}

/** Without them, nginx needs the permission to write to its own directories. */
function toTemporaryPaths(directory: string): string {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join(' ')
}

async function createCertificate(certificate: string, key: string): Promise<void> {
  const ec = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  const name = '-subj /CN=sandbox.example -addext subjectAltName=DNS:sandbox.example'
  const options = `-x509 -days 2 ${ec} ${name}`.split(' ')
  await runFile('openssl', ['req', ...options, '-keyout', key, '-out', certificate])
}

async function prepare(settings: NginxSettings) {
  await requireProgram('nginx')
  await requireProgram('openssl')
  const { path: directory, remove } = await createDirectory()
  onTestFinished(remove)
  return { directory, ...(await writeConfiguration(directory, settings)) }
}

/** Runs `nginx -t`, and returns what it says. */
export async function testConfiguration(settings: NginxSettings): Promise<string> {
  const { directory, file } = await prepare(settings)
  const log = `${directory}/error.log`
  const { stderr } = await runFile('nginx', ['-t', '-p', directory, '-c', file, '-e', log])
  return stderr
}

/**
 * Starts nginx until the end of the test. Another program may take a free port first: nginx then ends
 * and is started with other ports.
 *
 * @throws {Error} If it ends for another reason, or for this one five times.
 */
export async function startNginx(settings: NginxSettings, attempts = 5): Promise<Nginx> {
  const { directory, file, port, certificate } = await prepare(settings)
  const errors = `${directory}/error.log`
  const args = ['-p', directory, '-c', file, '-e', errors, '-g', 'daemon off;']
  const { child, end } = startProgram(['nginx', ...args])
  onTestFinished(() => end('SIGTERM'))
  const readErrors = () => readFile(errors, 'utf8')
  while (!(await canConnect(port)) || child.exitCode !== null) {
    if (child.exitCode !== null) {
      const reason = await readErrors()
      if (!reason.includes('Address already in use') || attempts === 1) {
        throw new Error(`nginx has ended: ${reason}`)
      }
      return startNginx(settings, attempts - 1)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { port, certificate, readErrors }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
