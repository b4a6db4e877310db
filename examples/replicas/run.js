// Starts Redis, three replicas of the sandbox and nginx on free ports: npm run example:replicas.
// Stops all of them on Ctrl+C. Requires redis-server and nginx, and the package to be built.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../dist/cjs/cli.js', import.meta.url))
const replicaCount = 3

/** @type {{ name: string, child: import('node:child_process').ChildProcess }[]} */
const started = []
let isStopping = false
const directory = await mkdtemp(join(tmpdir(), 'petstore-replicas-'))

process.on('SIGINT', () => stop(0))
process.on('SIGTERM', () => stop(0))

try {
  await run()
} catch (error) {
  console.error(error.message)
  await stop(1)
}

async function run() {
  const redisPort = await startRedis()
  const ports = []
  for (let number = 1; number <= replicaCount; number++) {
    ports.push(await startReplica(number, redisPort))
  }
  const nginxPort = await startNginx(ports)
  console.log(toText(`http://127.0.0.1:${nginxPort}/petstore`, ports))
}

/** Starts Redis, which writes each change to the disk. Returns its port. */
async function startRedis() {
  const port = await findFreePort()
  await start('redis-server', [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory],
    ...['--appendonly', 'yes', '--appendfsync', 'always'],
  ])
  await untilListening(port)
  return port
}

/** Starts a replica, and returns its port. */
async function startReplica(number, redisPort) {
  const port = await findFreePort()
  await start(
    `replica ${number}`,
    [
      ...[cli, 'serve', '--port', String(port), '--log', 'silent', '--notice', '0'],
      ...['--redis', `redis://127.0.0.1:${redisPort}`, '--trust-proxy', '1'],
    ],
    process.execPath,
  )
  await untilListening(port)
  return port
}

/** Starts nginx, which sends each request to the next replica. Returns its port. */
async function startNginx(replicaPorts) {
  const port = await findFreePort()
  const file = join(directory, 'nginx.conf')
  await writeFile(file, toNginxConfiguration(port, replicaPorts))
  const errors = join(directory, 'error.log')
  await start('nginx', ['-p', directory, '-c', file, '-e', errors, '-g', 'daemon off;'])
  await untilListening(port)
  return port
}

function toNginxConfiguration(port, replicaPorts) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
pid ${directory}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  upstream petstore_sandbox {
    ${replicaPorts.map((replica) => `server 127.0.0.1:${replica} max_fails=0;`).join('\n    ')}
    keepalive 16;
    keepalive_timeout 4s;
  }
  map $request_uri $sandbox_uri {
    "~^/petstore(?<rest>/.*)$" $rest;
    default /;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 8m;
    absolute_redirect off;
    location = /petstore { return 301 /petstore/; }
    location /petstore/ {
      proxy_pass http://petstore_sandbox$sandbox_uri;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Prefix /petstore;
      proxy_pass_header Date;
      proxy_next_upstream error;
      proxy_read_timeout 90s;
    }
  }
}
`
}

function toText(url, ports) {
  const key = '-H "Authorization: Bearer sbx_free"'
  const json = '-H "Content-Type: application/json"'
  return `
Three replicas (ports ${ports.join(', ')}) share their worlds in Redis. nginx sends each request to
the next one.

Console       ${url}/

A change on one replica is visible on the others, and the quota is common:
  curl -X PATCH ${key} ${json} -d "{\\"quantity\\":5}" "${url}/v1/inventory/7"
  curl ${key} "${url}/v1/inventory"
  curl -i ${key} "${url}/v1/pets/7"

The requests of all replicas:
  curl ${key} "${url}/sandbox/requests"
  curl -N ${key} "${url}/sandbox/events"

Stop          Ctrl+C
`
}

/**
 * Starts a program. If it ends early, the others are stopped, too.
 *
 * @param file The program. Default: its name.
 */
async function start(name, args, file = name) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-2_000)
    })
  }
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', ({ code }) => {
      const advice = `install it ("apt-get install ${name}" on Debian)`
      reject(new Error(code === 'ENOENT' ? `${name} is missing; ${advice}` : `${name}: ${code}`))
    })
  })
  started.push({ name, child })
  child.once('exit', (code) => {
    if (isStopping) return
    console.error(`${name} has ended with ${code}: ${output.trim()}`)
    void stop(1)
  })
}

/** Stops all programs, the last one first, and exits. */
async function stop(code) {
  if (isStopping) return
  isStopping = true
  for (const { child } of started.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  await rm(directory, { recursive: true, force: true })
  process.exit(code)
}

async function untilListening(port) {
  while (!(await canConnect(port))) {
    if (isStopping) return new Promise(() => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
