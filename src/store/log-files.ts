import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** LevelDB ignores files with other names than its own. */
const names = ['write-ahead-a', 'write-ahead-b'] as const

/** Two files of a directory that are written alternately. */
export class LogFiles {
  readonly #paths: readonly string[]
  readonly #sync: boolean
  #current: number
  #other: number
  /** Number of valid bytes in the current file. */
  #size = 0

  /** @param sync Whether to wait until the disk has stored the data. */
  constructor(directory: string, sync: boolean) {
    this.#paths = names.map((name) => join(directory, name))
    this.#sync = sync
    const [current = -1, other = -1] = this.#paths.map((path) =>
      openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600),
    )
    this.#current = current
    this.#other = other
    if (sync) syncDirectory(directory)
  }

  /** Returns the contents of both files. */
  read(): Buffer[] {
    return this.#paths.map((path) => readFileSync(path))
  }

  /**
   * Appends to the current file. If this fails, the file ends where it did, or with a part of the
   * bytes, which the next ones replace.
   */
  async append(bytes: Buffer): Promise<void> {
    try {
      let written = 0
      while (written < bytes.length) {
        const rest = bytes.length - written
        written += writeSync(this.#current, bytes, written, rest, this.#size + written)
      }
      if (this.#sync) await promisify(fdatasync)(this.#current)
    } catch (error) {
      this.#removePart()
      throw error
    }
    this.#size += bytes.length
  }

  /** Continues with the other file, which must be empty. */
  switch(): void {
    ;[this.#current, this.#other] = [this.#other, this.#current]
    this.#size = 0
  }

  /** Removes the contents of the file that is not written. */
  clearOther(): void {
    ftruncateSync(this.#other)
  }

  /** Removes the contents of both files. */
  clear(): void {
    ftruncateSync(this.#current)
    ftruncateSync(this.#other)
    this.#size = 0
  }

  close(): void {
    closeSync(this.#current)
    closeSync(this.#other)
  }

  #removePart(): void {
    try {
      ftruncateSync(this.#current, this.#size)
    } catch {
      // The next bytes replace the part.
    }
  }
}

/** Creates a directory that only its user can read. LevelDB would create it for all users. */
export async function createPrivateDirectory(directory: string): Promise<void> {
  // LevelDB reports why a directory cannot be created.
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(() => undefined)
}

/** Waits until the disk has stored the names of the files in a directory. */
function syncDirectory(directory: string): void {
  // Windows cannot open a directory.
  if (platform() === 'win32') return
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
