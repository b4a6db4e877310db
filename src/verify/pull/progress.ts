import { promises as fs } from 'node:fs'
import * as z from 'zod/mini'
import { parseJson } from '../../service/json.js'
import { readErrorField, toPlainLine, truncate } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { validate } from '../../service/validation/validate.js'
import { incompleteCode } from '../http-sender.js'
import type { Received } from './received.js'

const receivedSchema = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  atMs: z.number(),
  isMasked: z.exactOptional(z.boolean()),
})

/** The content of a progress file. It does not contain the API key. */
const contentSchema = z.strictObject({
  url: z.string(),
  /** The masked key. */
  key: z.string(),
  /** The time before which no request is sent, in ms since the epoch, by this machine's clock. */
  notBeforeMs: z.number(),
  responses: z.record(z.string(), receivedSchema),
})

/** The responses of a pull that has not ended, and the file in which they are saved. */
export class Progress {
  /** The responses by path. */
  readonly responses = new Map<string, Received>()
  /** The time before which no request is sent, in ms since the epoch, by this machine's clock. */
  notBeforeMs = 0

  /**
   * @param path Path of the file.
   * @param url Base URL of the deployment.
   * @param key The masked key.
   */
  constructor(
    readonly path: string,
    readonly url: string,
    readonly key: string,
  ) {}

  /**
   * Continues from the file, if there is one.
   *
   * @throws {UsageError} If it cannot be read, or is of another deployment or key.
   */
  async load(): Promise<void> {
    const text = await fs.readFile(this.path, 'utf8').catch((error: unknown) => {
      if (readErrorField(error, 'code') === 'ENOENT') return undefined
      throw this.#reject(`cannot be read (${readErrorField(error, 'code') ?? error})`)
    })
    if (text === undefined) return
    const result = validate(contentSchema, parseJson(text))
    if (!result.ok) throw this.#reject('is not the progress of a pull')
    const { url, key, notBeforeMs, responses } = result.value
    if (url !== this.url) throw this.#reject(`is the progress of ${toPlainLine(truncate(url))}`)
    if (key !== this.key) throw this.#reject('is the progress of another key')
    this.notBeforeMs = notBeforeMs
    for (const [path, received] of Object.entries(responses)) {
      const headers = new Map(Object.entries(received.headers))
      this.responses.set(path, { ...received, headers })
    }
  }

  /**
   * Writes the file. It is never incomplete, also if the process ends meanwhile.
   *
   * @throws {UsageError} If it cannot be written.
   */
  async save(): Promise<void> {
    const { url, key, notBeforeMs } = this
    const responses = Object.fromEntries(
      Array.from(this.responses, ([path, received]) => [path, toSaved(received)] as const),
    )
    await replaceFile(this.path, JSON.stringify({ url, key, notBeforeMs, responses }))
  }

  /** Removes the file. */
  async remove(): Promise<void> {
    await fs.rm(this.path, { force: true })
  }

  #reject(reason: string): UsageError {
    return new UsageError(
      `${this.path} ${reason}; remove it, or set another --output`,
      incompleteCode,
    )
  }
}

function toSaved(received: Received): z.input<typeof receivedSchema> {
  return { ...received, headers: Object.fromEntries(received.headers) }
}

/**
 * Writes a file in one step: another process sees the old or the new content.
 *
 * @throws {UsageError} If it cannot be written.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    await fs.writeFile(temporary, text)
    await fs.rename(temporary, path)
  } catch (error) {
    await fs.rm(temporary, { force: true })
    const reason = readErrorField(error, 'message') ?? String(error)
    throw new UsageError(`cannot write ${path}: ${reason}`, incompleteCode)
  }
}
