import type { ControlClient } from '../client/client.js'
import { formatMoment } from '../parts/moment.js'
import { useLoaded } from '../session/use-loaded.js'
import { PagedTable } from './paged-table.js'

const load = (client: ControlClient) => client.messages().then((messages) => messages.toReversed())

/** The messages that were queued, the newest first; no operation of the service reads them (A23). */
export function MessageTable() {
  const { value: messages } = useLoaded(load)
  return (
    <PagedTable
      title="Messages"
      rows={messages}
      columns={['Id', 'Message', 'Status', 'Queued (UTC)']}
      empty="No message is queued. Send one with sendMessage."
      toText={({ id, message }) => `${id} ${message}`}
      toRow={({ id, message, status, createdAt }) => (
        <tr key={id}>
          <th scope="row" class="code">
            {id}
          </th>
          <td class="text">{message}</td>
          <td>{status}</td>
          <td>{formatMoment(createdAt)}</td>
        </tr>
      )}
    />
  )
}
