import { styleText } from 'node:util'
import type { Output } from './terminal.js'

export type Style = Exclude<Parameters<typeof styleText>[0], unknown[]>

/** Gives a text a style, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

/** Paints on a terminal only, unless `FORCE_COLOR` or `NO_COLOR` (no-color.org) say otherwise. */
export function createPaint(
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (!hasColour(output, env)) return (_style, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}

function hasColour(output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR || env.TERM === 'dumb') return false
  return output.isTTY === true
}
