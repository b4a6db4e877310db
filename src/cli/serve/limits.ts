import type { Option } from 'commander'
import { z } from 'zod'
import { EnvOption } from '../options.js'

const mebibyte = 1_048_576
const sizeUnits: Readonly<Record<string, number>> = { KiB: 1_024, MiB: mebibyte, GiB: 1_024 ** 3 }
const timeUnits: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

const sizeSchema = createMeasureSchema(sizeUnits, 'a size such as 512MiB', mebibyte)
const durationSchema = createMeasureSchema(timeUnits, 'a duration such as 15m', 0)

/** The limits of `serve`. The command line and environment variables set them as strings. */
export const limitsShape = {
  maxMemory: sizeSchema.optional(),
  maxWorldMemory: sizeSchema.optional(),
  maxClientMemory: sizeSchema.optional(),
  maxWorlds: createCountSchema(1).optional(),
  retain: durationSchema.optional(),
  maxConnections: createCountSchema(1).optional(),
  maxClientConnections: createCountSchema(1).optional(),
  maxClientStreams: createCountSchema(1).optional(),
  maxClientWorlds: createCountSchema(1).optional(),
  maxClientControlRequests: createCountSchema(1).optional(),
  trustProxy: createCountSchema(0, 100).optional(),
}

/** Creates the command-line options of the limits. */
export function createLimitOptions(): Option[] {
  return [
    new EnvOption(
      '--max-memory <size>',
      'Memory of everything that requests make the sandbox retain, at most half of the heap. Default: 512MiB.',
    ),
    new EnvOption('--max-world-memory <size>', 'Memory of each world. Default: 16MiB.'),
    new EnvOption(
      '--max-client-memory <size>',
      'Memory that one client address may use. Default: half of --max-memory.',
    ),
    new EnvOption(
      '--max-worlds <number>',
      'Maximum number of worlds. Default: as many as fit into --max-memory.',
    ),
    new EnvOption(
      '--retain <duration>',
      'Time for which a world that another client used is never evicted. Default: 15m.',
    ),
    new EnvOption('--max-connections <number>', 'Open connections. Default: 10000.'),
    new EnvOption(
      '--max-client-connections <number>',
      'Open connections of one client address. Default: 2000.',
    ),
    new EnvOption(
      '--max-client-streams <number>',
      'Open event streams of one client address. Default: 100.',
    ),
    new EnvOption(
      '--max-client-worlds <number>',
      'New worlds of one client address per minute. Default: 60000.',
    ),
    new EnvOption(
      '--max-client-control-requests <number>',
      'Control requests of one client address per minute. Default: 60000.',
    ),
    new EnvOption(
      '--trust-proxy <hops>',
      'Number of reverse proxies that add the client address to X-Forwarded-For. Default: 0.',
    ),
  ]
}

function createCountSchema(from: number, to = 10_000_000) {
  const error = `an integer from ${from} to ${to}`
  const isValid = (value: string) =>
    /^\d{1,8}$/.test(value) && Number(value) >= from && Number(value) <= to
  return z.string().refine(isValid, { error }).transform(Number)
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
  return z
    .string()
    .refine((value) => pattern.test(value) && toNumber(value) >= minimum, { error })
    .transform(toNumber)
}
