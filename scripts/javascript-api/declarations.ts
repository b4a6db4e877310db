import {
  ApiDeclaredItem,
  ApiExportedMixin,
  type ApiItem,
  ApiItemKind,
  type ExcerptToken,
} from '@microsoft/api-extractor-model'
import type { EntryPoint } from './extract.js'

/** A declaration that the page describes. */
export interface Declaration {
  readonly item: ApiDeclaredItem
  /** The declaration file, below the root of the repository. */
  readonly file: string
  /** Returns the declaration that a token of the signature refers to, if it is in this package. */
  readonly mentions: (token: ExcerptToken) => Declaration | undefined
}

/** The exports of an entry point. */
export interface ExportList {
  readonly specifier: string
  readonly declarations: readonly Declaration[]
}

/** All declarations that the page describes. */
export interface Declarations {
  readonly exportLists: readonly ExportList[]
  /** Types that no entry point exports, but that an exported declaration mentions. */
  readonly others: readonly Declaration[]
}

/** Collects the declarations behind entry points. Identical declarations are collected once. */
export function collectDeclarations(entryPoints: readonly EntryPoint[]): Declarations {
  const known = new Map<string, Declaration>()
  const exportLists = entryPoints.map(({ specifier, items }) => {
    const byReference = new Map(items.map((item) => [item.canonicalReference.toString(), item]))
    const toDeclaration = (item: ApiItem | undefined): Declaration | undefined => {
      if (!(item instanceof ApiDeclaredItem) || item.fileUrlPath === undefined) return undefined
      const file = item.fileUrlPath
      const id = `${file} ${item.displayName}`
      const mentions = ({ canonicalReference }: ExcerptToken) =>
        toDeclaration(byReference.get(`${canonicalReference}`))
      const declaration = known.get(id) ?? { item, file, mentions }
      known.set(id, declaration)
      return declaration
    }
    const exported = items.filter(isExported).map(toDeclaration)
    return { specifier, declarations: exported.filter((found) => found !== undefined) }
  })
  return { exportLists, others: findOthers(exportLists) }
}

/** Lists the members that the page shows. Programs do not use the constructors. */
export function listMembers(item: ApiItem): ApiDeclaredItem[] {
  const declared = item.members.filter((member) => member instanceof ApiDeclaredItem)
  return declared.filter(({ kind }) => kind !== ApiItemKind.Constructor)
}

function isExported(item: ApiItem): boolean {
  return ApiExportedMixin.isBaseClassOf(item) && item.isExported
}

function findOthers(exportLists: readonly ExportList[]): Declaration[] {
  const exported = new Set(exportLists.flatMap(({ declarations }) => declarations))
  const reached = new Set(exported)
  // A Set visits what is added during the loop.
  for (const { item, mentions } of reached) {
    const tokens = [item, ...listMembers(item)].flatMap(({ excerptTokens }) => excerptTokens)
    for (const token of tokens) {
      const found = mentions(token)
      if (found !== undefined && isDescribed(found)) reached.add(found)
    }
  }
  const others = [...reached].filter((declaration) => !exported.has(declaration))
  return others.toSorted((a, b) => (a.item.displayName < b.item.displayName ? -1 : 1))
}

function isDescribed({ item }: Declaration): boolean {
  return item.kind !== ApiItemKind.Variable
}
