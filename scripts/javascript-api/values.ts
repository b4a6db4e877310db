import { ApiItemKind } from '@microsoft/api-extractor-model'
import * as z from 'zod/mini'
import { deriveSchemas, type JsonSchema } from '../../src/service/openapi/schemas.js'
import { type Field, listFields } from '../reference/fields.js'
import type { Declaration } from './declarations.js'

/** The fields or the strings of a type that is derived from a value. */
export type DerivedType =
  | { readonly fields: readonly Field[] }
  | { readonly strings: readonly string[] }
  | undefined

const derivable = /^(?:z\.(?:input|output)<typeof \w+>|\(typeof \w+\)\[number\]|keyof typeof \w+)$/

/**
 * Evaluates a type alias that is derived from a zod schema (`z.output<typeof petSchema>`), from the
 * keys of a table (`keyof typeof plans`) or from an array (`(typeof environments)[number]`).
 *
 * @returns undefined for every other type.
 */
export async function evaluateType(declaration: Declaration): Promise<DerivedType> {
  const { item, mentions } = declaration
  if (item.kind !== ApiItemKind.TypeAlias) return undefined
  const text = item.excerpt.text.replaceAll(/\s+/g, ' ')
  const [, query] = /= (.*typeof \w+.*);$/.exec(text) ?? []
  const value = item.excerptTokens.map(mentions).find(isVariable)
  if (query === undefined || value === undefined || !derivable.test(query)) return undefined
  const path = value.file.replace(/^dist\/types\/src\/(.*)\.d\.ts$/, '$1.js')
  const module: Record<string, unknown> = await import(/* @vite-ignore */ `../../src/${path}`)
  const found = module[value.item.displayName]
  if (found instanceof z.ZodMiniType && /^z\.(?:input|output)<typeof \w+>$/.test(query)) {
    const direction = query.startsWith('z.input') ? 'request' : 'response'
    return describeSchema(deriveSchemas({ found }, direction).found)
  }
  if (Array.isArray(found) && /^\(typeof \w+\)\[number\]$/.test(query)) return { strings: found }
  if (found instanceof Object && /^keyof typeof \w+$/.test(query))
    return { strings: Object.keys(found) }
  return undefined
}

function describeSchema(schema: JsonSchema): DerivedType {
  if (schema.enum?.every((value) => typeof value === 'string')) return { strings: schema.enum }
  const fields = listFields(schema)
  return fields.length > 0 ? { fields } : undefined
}

function isVariable(declaration: Declaration | undefined): declaration is Declaration {
  return declaration?.item.kind === ApiItemKind.Variable
}
