import * as z from 'zod/mini'

const mebibyte = 1_048_576
const sizeUnits: Readonly<Record<string, number>> = { KiB: 1_024, MiB: mebibyte, GiB: 1_024 ** 3 }
const timeUnits: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

const sizeSchema = createMeasureSchema(sizeUnits, 'a size such as 512MiB', mebibyte)
const keepUnits: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** Schema of the time for which unused worlds are kept. */
export const keepSchema = createMeasureSchema(keepUnits, 'a duration such as 30d', 3_600_000)
const durationSchema = createMeasureSchema(timeUnits, 'a duration such as 15m', 0)

/** The limits of `serve`. The command line and environment variables set them as strings. */
export const limitsShape = {
  maxMemory: sizeSchema,
  maxWorldMemory: sizeSchema,
  maxClientMemory: sizeSchema,
  maxWorlds: createIntegerSchema(1),
  retain: durationSchema,
  maxConnections: createIntegerSchema(1),
  maxClientConnections: createIntegerSchema(1),
  maxClientStreams: createIntegerSchema(1),
  maxClientWorlds: createIntegerSchema(1),
  maxClientControlRequests: createIntegerSchema(1),
  trustProxy: createIntegerSchema(0, 100),
}

/** Creates the schema of a string with an integer. */
export function createIntegerSchema(from: number, to = 10_000_000) {
  const error = `an integer from ${from} to ${to}`
  const digits = new RegExp(`^\\d{1,${String(to).length}}$`)
  const isValid = (value: string) =>
    digits.test(value) && Number(value) >= from && Number(value) <= to
  return z.pipe(z.string().check(z.refine(isValid, { error })), z.transform(Number))
}

/** Creates the schema of a number with a unit: `512MiB`, `1.5GiB`, `15m`. */
function createMeasureSchema(
  units: Readonly<Record<string, number>>,
  example: string,
  minimum: number,
) {
  const names = Object.keys(units)
  const error = `${example}, in ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  const pattern = new RegExp(`^(\\d{1,6}(?:\\.\\d{1,3})?) ?(${names.join('|')})$`)
  const toNumber = (value: string) => {
    const [, count = '', unit = ''] = pattern.exec(value) ?? []
    return Math.floor(Number(count) * (units[unit] ?? Number.NaN))
  }
  return z.pipe(
    z
      .string()
      .check(z.refine((value) => pattern.test(value) && toNumber(value) >= minimum, { error })),
    z.transform(toNumber),
  )
}
