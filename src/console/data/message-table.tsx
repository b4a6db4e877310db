import type { ControlResult } from '../../control/operations.js'
import type { ControlClient } from '../client/control-client.js'
import { formatTimestamp } from '../parts/time.js'
import { useLoaded } from '../session/use-loaded.js'
import { type Column, PagedTable } from './paged-table.js'

type Message = ControlResult<'listMessages'>[number]

const load = (client: ControlClient) =>
  client.send('listMessages').then((messages) => messages.toReversed())

const columns: readonly Column<Message>[] = [
  { title: 'Id', class: 'code', isRowHeader: true, toCell: ({ id }) => id },
  { title: 'Message', class: 'text', toCell: ({ message }) => message },
  { title: 'Status', toCell: ({ status }) => status },
  { title: 'Queued (UTC)', toCell: ({ createdAt }) => formatTimestamp(createdAt) },
]

/** A table of the queued messages, newest first. No operation of the service reads them (A23). */
export function MessageTable() {
  return (
    <PagedTable
      title="Messages"
      rows={useLoaded(load)}
      columns={columns}
      toKey={({ id }) => id}
      toText={({ id, message }) => `${id} ${message}`}
      empty="No message is queued. Send one with sendMessage."
    />
  )
}
