import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll } from 'vitest'
import { createSandboxServer } from '../../src/server.js'
import { startProgram } from '../support/program.js'
import { findFreePort } from '../support/server.js'

const execute = promisify(execFile)

/** The folder with the packages of the tools. */
const folder = join(import.meta.dirname, 'project')

const installer = join(import.meta.dirname, '../../examples/install.js')

/** Returns the path of a file that a tool writes. */
export const outFile = (name: string): string => join(folder, 'out', name)

/** Installs the tools and starts a sandbox for the tests of a file. Returns a function for its URL. */
export function useSandbox(): () => string {
  let url = ''
  beforeAll(async () => {
    await installTools()
    const server = await createSandboxServer()
    url = await server.listen({ port: 0 })
    return () => server.close()
  })
  return () => url
}

async function installTools(): Promise<void> {
  await rm(join(folder, 'out'), { recursive: true, force: true })
  await mkdir(join(folder, 'out'))
  await execute(process.execPath, [installer, folder, '--locked-only'])
}

/**
 * Runs a tool of the project and returns what it prints.
 *
 * @throws {Error} If it fails. The message has its output.
 */
export async function runTool(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const program = name === 'node' ? process.execPath : join(folder, 'node_modules/.bin', name)
  const options = {
    cwd: folder,
    env: { ...process.env, ...env, NO_COLOR: '1' },
    maxBuffer: 16_777_216,
    timeout: 120_000,
  }
  try {
    const { stdout } = await execute(program, args, options)
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string } // of execFile
    throw new Error(`${name} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/**
 * Starts Prism as a proxy that validates requests and responses. Another program may take the free
 * port first: Prism then ends and is started with another port.
 *
 * @param upstream URL to which it forwards requests.
 * @throws {Error} If it ends before it listens. The message has its output.
 */
export async function startPrism(
  documentUrl: string,
  upstream: string,
  attempts = 5,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = join(folder, 'node_modules/.bin/prism')
  const args = ['proxy', documentUrl, upstream, '-p', String(await findFreePort())]
  const prism = startProgram([program, ...args], { cwd: folder })
  try {
    const [, url = ''] = await prism.read(/listening on (http:\S+)/)
    return { url, stop: () => prism.end() }
  } catch (error) {
    const isTaken = String(error).includes('EADDRINUSE') && attempts > 1
    if (isTaken) return startPrism(documentUrl, upstream, attempts - 1)
    throw error
  }
}
