import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { root, runFile } from './programs.js'

/** An instruction of a Dockerfile, with continued lines joined. */
interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The last stage of a Dockerfile. */
export interface Image {
  /** Directory that is the root of its file system. */
  readonly directory: string
  readonly workingDirectory: string
  readonly user: string
  readonly env: Readonly<Record<string, string>>
  readonly healthCheck: readonly string[]
  /** The entry point with its default arguments. */
  readonly command: readonly string[]
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Reads the instructions of deploy/Dockerfile. */
export async function readDockerfile(): Promise<Instruction[]> {
  const text = await readFile(join(root, 'deploy/Dockerfile'), 'utf8')
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...words] = line.split(' ')
      return { name, rest: words.join(' ') }
    })
}

/**
 * Executes the instructions of deploy/Dockerfile without a container: each stage is a directory.
 * Absolute paths are below this directory, and the user stays the same.
 */
export async function buildImage(directory: string): Promise<Image> {
  const stages = new Map<string, string>()
  let image: Writable<Image> = createImage(directory)
  for (const { name, rest } of await readDockerfile()) {
    if (name === 'FROM') {
      const stage = /AS (\w+)$/.exec(rest)?.[1] ?? 'last'
      image = createImage(join(directory, stage))
      stages.set(stage, image.directory)
      await mkdir(image.directory)
    } else await execute(image, stages, name, rest)
  }
  return image
}

function createImage(directory: string): Image {
  return { directory, workingDirectory: '/', user: 'root', env: {}, healthCheck: [], command: [] }
}

async function execute(
  image: Writable<Image>,
  stages: ReadonlyMap<string, string>,
  name: string,
  rest: string,
): Promise<void> {
  switch (name) {
    case 'WORKDIR':
      image.workingDirectory = rest
      await mkdir(toLocalPath(image, '.'), { recursive: true })
      break
    case 'COPY':
      await copy(image, stages, rest.split(' '))
      break
    case 'RUN':
      await run(rest, toLocalPath(image, '.'))
      break
    case 'USER':
      image.user = rest
      break
    case 'ENV':
      image.env = Object.fromEntries(rest.split(' ').map((pair) => pair.split('=')))
      break
    case 'HEALTHCHECK':
      image.healthCheck = JSON.parse(rest.slice(rest.indexOf('[')))
      break
    case 'ENTRYPOINT':
    case 'CMD':
      image.command = [...image.command, ...JSON.parse(rest)]
      break
    case 'EXPOSE':
      break
    default:
      throw new Error(`the instruction ${name} is not known`)
  }
}

/** Returns the path of a file of the image in the file system of this machine. */
export function toLocalPath({ directory, workingDirectory }: Image, path: string): string {
  return join(directory, resolve(workingDirectory, path))
}

async function copy(
  image: Image,
  stages: ReadonlyMap<string, string>,
  words: readonly string[],
): Promise<void> {
  const stage = words[0]?.startsWith('--from=') ? words[0].slice('--from='.length) : undefined
  const paths = stage === undefined ? words : words.slice(1)
  const target = toLocalPath(image, paths.at(-1) ?? '')
  for (const path of paths.slice(0, -1)) {
    if (stage !== undefined) {
      const to = paths.at(-1) === './' ? join(target, basename(path)) : target
      await cp(join(stages.get(stage) ?? '', path), to, { recursive: true, verbatimSymlinks: true })
    } else if (path === '.') await copyRepository(target)
    else await cp(join(root, path), join(target, path))
  }
}

/** Copies the files of the repository that are not ignored, like those that .dockerignore leaves. */
async function copyRepository(target: string): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await runFile('git', list, { cwd: root, maxBuffer: 10_000_000 })
  for (const file of stdout.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
    await cp(join(root, file), join(target, file))
  }
}

/** @throws {Error} If the command fails. The message contains its output. */
async function run(command: string, cwd: string): Promise<void> {
  const env = { ...process.env, npm_config_fund: 'false', npm_config_audit: 'false' }
  // A failure names the command, and has what it wrote to stderr.
  await runFile('sh', ['-c', command], { cwd, env, maxBuffer: 2 ** 26 })
}
