import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createWriter } from '../../src/cli/serve/log.js'

const line = `${'x'.repeat(999)}\n`
const toNote = (note: string) => `${note}\n`
const dropped = (count: number) => toNote(`${count} lines dropped because nobody read the output`)

/** Creates a stream with a reader that reads only when `read` is called. */
function createPipe() {
  let received = ''
  let resume: (() => void) | undefined
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      received += text
      resume = done
    },
  })
  /** Reads all that waits, and what is written meanwhile. */
  const read = async () => {
    while (resume) {
      const done = resume
      resume = undefined
      done()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return received
  }
  return { stream, read }
}

test('retains at most 1 MiB for a reader that has stopped; an unbounded output retains all', () => {
  const unbounded = createPipe().stream
  const { stream } = createPipe()
  const write = createWriter(stream, toNote)
  for (let count = 0; count < 4_096; count++) {
    unbounded.write(line)
    write(line)
  }
  expect(unbounded.writableLength).toBe(4_096_000)
  expect(stream.writableLength).toBeLessThanOrEqual(1_048_576 + line.length)
  expect(stream.writableLength).toBeGreaterThan(1_040_000)
})

test('drops lines until the output has drained, and reports them then, without a further line', async () => {
  const { stream, read } = createPipe()
  const write = createWriter(stream, toNote, 20_000)
  for (let count = 0; count < 25; count++) write(line)
  write('two\nlines\n')
  const written = await read()
  expect(written).toBe(`${line.repeat(21)}${dropped(6)}`)
  write('next\n')
  expect(await read()).toBe(`${written}next\n`)
})

test('continues after a line that is longer than the limit', async () => {
  const { stream, read } = createPipe()
  const write = createWriter(stream, toNote, 500)
  write(line)
  write('lost\n')
  expect(await read()).toBe(`${line}${dropped(1)}`)
  write('next\n')
  expect(await read()).toBe(`${line}${dropped(1)}next\n`)
})

test('writes to an output without a buffer, such as a file', () => {
  let written = ''
  const write = createWriter({ write: (text) => (written += text) }, toNote, 10)
  for (let count = 0; count < 5; count++) write('1234567\n')
  expect(written).toBe('1234567\n'.repeat(5))
})
