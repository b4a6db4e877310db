import { type ChildProcess, execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { startProgram } from '../../support/program.js'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

export const runFile = promisify(execFile)

/** Returns what `serve --help` prints. */
export async function readHelp(): Promise<string> {
  const { stdout } = await runFile(process.execPath, ['dist/cjs/cli.js', 'help', 'serve'], {
    cwd: root,
  })
  return stdout
}

/** @throws {Error} If the program is not installed. The message says how to install it. */
export async function requireProgram(name: string, debianPackage = name): Promise<void> {
  try {
    await runFile('sh', ['-c', `command -v ${name}`])
  } catch {
    throw new Error(
      `the deployment tests need ${name}; install it ("apt-get install ${debianPackage}" on Debian)`,
    )
  }
}

/** Creates a temporary directory, which other users can read. It is removed by the returned function. */
export async function createDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'petstore-deploy-'))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A server, with the URLs in its JSON log. */
interface Started {
  readonly child: ChildProcess
  readonly listening: string
  readonly urls: Readonly<Record<string, string>>
}

/** Settings of a program that {@link startSandbox} starts. */
export interface SandboxProcess {
  readonly command: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Id of the user; the current one by default. */
  readonly uid?: number | undefined
}

/** Starts `serve` with the JSON log, until the end of the test, and resolves when it listens. */
export async function startSandbox(settings: SandboxProcess): Promise<Started> {
  const { command, cwd = root, env = {}, uid } = settings
  const program = startProgram(command, {
    cwd,
    env: {
      ...process.env,
      PETSTORE_SANDBOX_LOG: 'json',
      PETSTORE_SANDBOX_NOTICE: '0',
      ...env,
    },
    ...(uid !== undefined && { uid }),
  })
  onTestFinished(() => program.end('SIGTERM'))
  const [line] = await program.read(/^\{.*\n/)
  return { ...JSON.parse(line), child: program.child }
}
