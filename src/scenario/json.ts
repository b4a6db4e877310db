/** A place in a text, both counted from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Reads JSON; a byte order mark in front, which editors of some systems write, is left out.
 *
 * @throws {SyntaxError} When it is none; the message says in which line and column, and why.
 */
export async function readJson(text: string): Promise<unknown> {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SyntaxError(await describeError(json, reason))
  }
}

/** The engine's own message rarely says where; a parser that does is loaded only for this. */
async function describeError(json: string, reason: string): Promise<string> {
  const { parse } = await import('@humanwhocodes/momoa')
  try {
    parse(json)
  } catch (error) {
    if (error instanceof Error && isPlace(error)) {
      return toSentence(error, error.message.replace(/ \(\d+:\d+\)$/, ''))
    }
  }
  const offset = /at position (\d+)/.exec(reason)?.[1]
  return offset === undefined ? reason : toSentence(toPlace(json, Number(offset)), reason)
}

function toSentence({ line, column }: Place, reason: string): string {
  return `line ${line}, column ${column}: ${reason.replace(/\.$/, '')}`
}

function toPlace(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

function isPlace(value: object): value is Place {
  return 'line' in value && 'column' in value
}
