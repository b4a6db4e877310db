import { pageSize } from '../../service/bounds.js'

/** The input of a request for a page: the query, which is absent for the first page. */
interface PageInput {
  readonly query?: { readonly after: string }
}

/**
 * Reads a list of the control API to its end.
 *
 * @param idField The field with the id of a record, by which the next page is found.
 * @param read Sends the request for a page.
 */
export async function readPages<T extends object>(
  idField: string,
  read: (input: PageInput) => Promise<T[]>,
  input: PageInput = {},
): Promise<T[]> {
  const page = await read(input)
  const last = page[pageSize - 1]
  if (!last) return page
  const next = { query: { after: String(Reflect.get(last, idField)) } }
  return [...page, ...(await readPages(idField, read, next))]
}
