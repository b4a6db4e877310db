import { z } from 'zod'

/** The options of `serve`, which flags and variables state as text. */
export const serveOptionsSchema = z.object({
  port: createIntegerSchema(0, 65_535),
  host: z.string().min(1, { error: 'a host name or an IP address' }),
  scenario: z
    .string()
    .default('default')
    .refine((text) => toNames(text).length > 0, { error: 'a scenario name or a .json file' })
    .transform(toNames),
  scenarios: z.string().min(1, { error: 'a directory' }).optional(),
  watch: z.union([z.literal(true), z.stringbool()], { error: 'true or false' }).default(false),
  handlers: z.string().min(1, { error: 'an ES module' }).optional(),
  maxWorlds: createIntegerSchema(1, 1_000_000),
  log: z.enum(['pretty', 'json', 'silent']),
})

export type ServeOptions = z.output<typeof serveOptionsSchema>

function createIntegerSchema(from: number, to: number) {
  const error = `an integer from ${from} to ${to}`
  const isFitting = (text: string) =>
    /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to
  return z.string().refine(isFitting, { error }).transform(Number)
}

function toNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}
