import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const runFile = promisify(execFile)

/** Exit code and output of a program. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A temporary project with the package, installed from its tarball, and msw. */
export class Consumer {
  private constructor(
    readonly folder: string,
    /** Paths of the files in the tarball. */
    readonly files: readonly string[],
    readonly packedBytes: number,
  ) {}

  /**
   * Packs the built package and installs it. Takes about 5 s with a warm npm cache.
   *
   * @param dependencies Other packages to install. Default: the msw version of this repository.
   * @param npm Command of the npm that installs the packages.
   */
  static async create(dependencies?: readonly string[], npm = 'npm'): Promise<Consumer> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-consumer-'))
    const pack = await runFile('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
    })
    const tarball = pack.stdout.trim()
    const { stdout } = await runFile('tar', ['-tzf', join(folder, tarball)])
    const files = stdout.trim().split('\n')
    const consumer = new Consumer(
      folder,
      files.map((path) => path.replace(/^package\//, '')),
      (await stat(join(folder, tarball))).size,
    )
    await consumer.write('package.json', JSON.stringify({ private: true, type: 'module' }))
    const others = dependencies ?? [`msw@${await readMswVersion()}`]
    const install = `${npm} install --prefer-offline --no-audit --no-fund --ignore-scripts`
    const { code, stderr } = await consumer.run(`${install} ./${tarball} ${others.join(' ')}`)
    if (code !== 0) throw new Error(`the package could not be installed: ${stderr}`)
    return consumer
  }

  /** Links an installed package of this repository into the project. */
  async link(name: string): Promise<void> {
    const path = join(this.folder, 'node_modules', name)
    await mkdir(dirname(path), { recursive: true })
    await rm(path, { force: true })
    await symlink(join(root, 'node_modules', name), path)
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text)
  }

  /**
   * Copies a file or folder of the repository, without installed packages. Default: to the same
   * place in the project.
   */
  async copy(path: string, target = path): Promise<void> {
    const filter = (source: string) => basename(source) !== 'node_modules'
    await cp(join(root, path), join(this.folder, target), { recursive: true, filter })
  }

  /** Runs a shell command in the project. Kills it after four minutes. */
  async run(command: string): Promise<Outcome> {
    try {
      const { stdout, stderr } = await runFile('bash', ['-c', command], {
        cwd: this.folder,
        env: removeNpmVariables(process.env),
        timeout: 240_000,
      })
      return { code: 0, stdout, stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as Partial<Outcome> // execFile rejects with these properties
      if (typeof code !== 'number') throw error
      return { code, stdout: stdout ?? '', stderr: stderr ?? '' }
    }
  }

  /** Runs code as an ES module of the project and returns its stdout. Throws if it fails. */
  async runModule(code: string, node = 'node'): Promise<string> {
    await this.write('module.js', code)
    const outcome = await this.run(`${node} module.js`)
    if (outcome.code !== 0) throw new Error(outcome.stderr)
    return outcome.stdout
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Returns the version of msw that this repository uses. */
export async function readMswVersion(): Promise<string> {
  const text = await readFile(join(root, 'node_modules/msw/package.json'), 'utf8')
  return JSON.parse(text).version
}

/** Removes the variables that npm scripts set: they refer to this repository. */
function removeNpmVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { npm_config_local_prefix: _, INIT_CWD: __, ...rest } = env
  return { ...rest, NO_COLOR: '1' }
}
