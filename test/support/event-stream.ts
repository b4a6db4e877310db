import { vi } from 'vitest'
import type { Journal } from '../../src/world/journal/journal.js'

/** Returns a function that counts the listeners of a journal. */
export function countListeners(journal: Journal): () => number {
  const subscribe = journal.subscribe.bind(journal)
  let count = 0
  vi.spyOn(journal, 'subscribe').mockImplementation((listener) => {
    const stop = subscribe(listener)
    count += 1
    return () => {
      count -= 1
      stop()
    }
  })
  return () => count
}

/** Reads a stream of events in parts. */
export function readText(response: Response) {
  if (!response.body) throw new Error('expected a stream')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    /** Returns the text up to the end of a string. */
    async next(until: string) {
      while (!text.includes(until)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the stream ended before ${JSON.stringify(until)}`)
        text += decoder.decode(value, { stream: true })
      }
      const end = text.indexOf(until) + until.length
      const piece = text.slice(0, end)
      text = text.slice(end)
      return piece
    },
    /** Reads the stream to its end. */
    async rest() {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        text += decoder.decode(chunk.value, { stream: true })
      }
      return text
    },
    cancel() {
      reader.cancel().catch(() => {})
    },
  }
}
