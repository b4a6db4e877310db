import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startProgram } from '../support/program.js'
import { createDirectory, readHelp, requireProgram, root, runFile } from './support/programs.js'

const read = (path: string) => readFile(join(root, path), 'utf8')

/** Returns the options of a command line that `serve` does not have. */
async function findUnknownOptions(words: readonly string[]): Promise<readonly string[]> {
  const known = new Set<string>((await readHelp()).match(/--[a-z-]+/g))
  return words.filter((word) => word.startsWith('--') && !known.has(word))
}

/** The parts of compose.yaml that the tests read. */
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

interface ComposeService {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
  readonly volumes?: readonly string[]
  readonly stop_grace_period?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
}

test('compose.yaml starts three replicas with options that serve has', async () => {
  const { services }: Compose = parse(await read('deploy/compose.yaml'), { merge: true })
  const replicas = Object.entries(services).filter(([, { build }]) => build)
  expect(replicas.map(([name]) => name)).toEqual(['sandbox-1', 'sandbox-2', 'sandbox-3'])
  const nginx = await read('deploy/nginx.conf')
  for (const [name, { command = [], environment = {}, build }] of replicas) {
    expect(command[0]).toBe('serve')
    const variables = Object.keys(environment).map(
      (variable) =>
        `--${variable.replace('PETSTORE_SANDBOX_', '').toLowerCase().replaceAll('_', '-')}`,
    )
    expect(await findUnknownOptions([...command, ...variables])).toEqual([])
    expect(nginx).toContain(`server ${name}:4010 `)
    await read(join('deploy', build?.context ?? '', build?.dockerfile ?? ''))
  }
})

test('compose.yaml refers to services, volumes and files that exist', async () => {
  const { services, volumes }: Compose = parse(await read('deploy/compose.yaml'), { merge: true })
  for (const { depends_on: needed = [], volumes: mounted = [] } of Object.values(services)) {
    const names = Array.isArray(needed) ? needed : Object.keys(needed)
    expect(Object.keys(services)).toEqual(expect.arrayContaining(names))
    for (const [source = ''] of mounted.map((mount) => mount.split(':'))) {
      if (source.endsWith('.conf')) await read(join('deploy', source))
      else if (!source.startsWith('./')) expect(Object.keys(volumes)).toContain(source)
    }
  }
})

test('with compose.yaml, keys are issued only if the operator asks for it', async () => {
  const { services }: Compose = parse(await read('deploy/compose.yaml'), { merge: true })
  const { environment } = services['sandbox-1'] ?? {}
  expect(environment?.PETSTORE_SANDBOX_KEY_ISSUING).toMatch(/^\$\{KEY_ISSUING:-off\}$/)
})

test('the image contains no directory that compose.yaml mounts and the operator fills', async () => {
  const ignored = (await read('deploy/Dockerfile.dockerignore')).split('\n')
  const { services }: Compose = parse(await read('deploy/compose.yaml'), { merge: true })
  const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes)
  const directories = mounted.flatMap((mount) => /^\.\/([\w-]+):/.exec(mount)?.[1] ?? [])
  expect(directories).toEqual(['tls'])
  for (const name of directories) {
    await expect(access(join(root, 'deploy', name))).rejects.toThrow()
    expect(ignored).toContain(`deploy/${name}`)
  }
})

test('compose.yaml and petstore-sandbox.service leave time for the notice and pending responses', async () => {
  const { services }: Compose = parse(await read('deploy/compose.yaml'), { merge: true })
  const unit = await read('deploy/petstore-sandbox.service')
  const [, unitSeconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  const [, composeSeconds] = /^(\d+)s$/.exec(services['sandbox-1']?.stop_grace_period ?? '') ?? []
  const [noticeSeconds, pendingSeconds] = [5, 10]
  for (const seconds of [unitSeconds, composeSeconds]) {
    expect(Number(seconds)).toBeGreaterThan(noticeSeconds + pendingSeconds)
  }
})

test('redis-server has the durability that compose.yaml sets', async () => {
  await requireProgram('redis-server')
  const { services }: Compose = parse(await read('deploy/compose.yaml'), { merge: true })
  const command = services.redis?.command ?? []
  const { path, remove } = await createDirectory()
  onTestFinished(remove)
  const socket = join(path, 'redis.sock')
  const redis = startProgram([...command, '--port', '0', '--unixsocket', socket, '--dir', path])
  onTestFinished(() => redis.end('SIGTERM'))
  const readSetting = (name: string) => runFile('redis-cli', ['-s', socket, 'config', 'get', name])
  await expect
    .poll(() =>
      readSetting('appendfsync').then(
        ({ stdout }) => stdout,
        () => undefined,
      ),
    )
    .toBe('appendfsync\nalways\n')
  expect((await readSetting('appendonly')).stdout).toBe('appendonly\nyes\n')
})

test('petstore-sandbox.service has valid directives, and options that serve has', async () => {
  const unit = await read('deploy/petstore-sandbox.service')
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? ''
  expect(command).toContain(' /opt/petstore-sandbox/dist/cjs/cli.js serve ')
  expect(await findUnknownOptions(command.split(' '))).toEqual([])
  const { path, remove } = await createDirectory()
  onTestFinished(remove)
  const file = join(path, 'petstore-sandbox.service')
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath))
  const verify = runFile('systemd-analyze', ['verify', '--man=no', file])
  await verify.then(
    ({ stderr }) => expect(stderr).not.toContain(file),
    (error: { code?: unknown; stderr?: string }) => {
      // Without systemd, only the text is checked.
      expect(error.code, error.stderr).toBe('ENOENT')
    },
  )
  const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of lines) expect(line).toMatch(/^\[(Unit|Service|Install)\]$|^[A-Z]\w+=/)
})
