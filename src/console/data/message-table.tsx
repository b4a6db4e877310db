import type { ControlResult } from '../../control/operations.js'
import type { ControlClient } from '../client/control-client.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { Time } from '../parts/time-label.js'
import { Clipped } from './cells.js'
import { LongText } from './long-text.js'
import { shorten } from './record-kind.js'
import { type Column, Table } from './table.js'
import { TableTools } from './table-tools.js'
import { useRecords } from './use-records.js'
import { useTable } from './use-table.js'

type Message = ControlResult<'listMessages'>[number]

const list = async (client: ControlClient, signal: AbortSignal) =>
  (await client.send('listMessages', { signal })).toReversed()

const columns: readonly Column<Message>[] = [
  {
    title: 'Id',
    class: 'code',
    isRowHeader: true,
    toCell: ({ id }) => <Clipped text={id} />,
    toSortValue: ({ id }) => id,
  },
  {
    title: 'Message',
    class: 'text',
    toCell: ({ id, message }) => <LongText text={message} what={shorten(id)} />,
    toSortValue: ({ message }) => message,
  },
  { title: 'Status', toCell: ({ status }) => status },
  {
    title: 'Queued (UTC)',
    toCell: ({ createdAt }) => <Time at={createdAt} />,
    toSortValue: ({ createdAt }) => Date.parse(createdAt),
  },
]

const access = {
  toKey: ({ id }: Message) => id,
  toText: ({ id, message }: Message) => `${id} ${message}`,
}

/** A table of the queued messages, newest first. No operation of the service reads them (A23). */
export function MessageTable() {
  const { rows, failure } = useRecords('messages', list)
  const table = useTable({ ...access, rows, columns, isHeld: () => false })
  return (
    <Card title="Messages" isBusy={!rows && !failure}>
      {rows && rows.length > 0 && <TableTools {...table} title="Messages" statuses={[]} />}
      {failure && <LoadFailure what="The messages" failure={failure} />}
      {rows?.length === 0 && (
        <p class="hint">
          No message is queued. Send one with <a href="#sendMessage">sendMessage</a>.
        </p>
      )}
      {rows && rows.length > 0 && (
        <Table
          title="Messages"
          rows={table.page.items}
          columns={columns}
          toKey={access.toKey}
          sorting={table.query.sorting}
          onSort={table.onSort}
        />
      )}
    </Card>
  )
}
