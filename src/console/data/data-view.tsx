import { useMemo } from 'preact/hooks'
import { wholeList } from '../../control/client/client.js'
import type { ControlResult } from '../../control/operations.js'
import { useDocuments } from '../documents/documents.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/load-failure.js'
import { type Column, DataTable } from '../parts/table.js'
import { Time } from '../parts/time.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { createOrderKind, createPetKind } from './record-kind.js'
import { Clipped, RecordTable } from './record-table.js'
import { toPauseMs } from './use-records.js'

/** The records of the world: pets, orders and messages. */
export function RecordsView() {
  const { petStatuses, orderStatuses } = useDocuments().control
  const pets = useMemo(() => createPetKind(petStatuses), [petStatuses])
  const orders = useMemo(() => createOrderKind(orderStatuses), [orderStatuses])
  return (
    <>
      <RecordTable kind={pets} />
      <RecordTable kind={orders} />
      <MessageTable />
    </>
  )
}

type Message = ControlResult<'listMessages'>[number]

const listMessages = async (client: PageClient) => {
  const list = await client.send('listMessages', { query: wholeList })
  return list.reverse()
}

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
    toCell: ({ message }) => <LongText text={message} />,
    toSortValue: ({ message }) => message,
  },
  { title: 'Status', toCell: ({ status }) => status },
  {
    title: 'Queued (UTC)',
    toCell: ({ createdAt }) => <Time at={createdAt} />,
    toSortValue: ({ createdAt }) => Date.parse(createdAt),
  },
]

/** The queued messages, newest first. No operation of the service reads them (A23). */
function MessageTable() {
  const { overview } = useSession()
  const changes = overview?.changes.messages
  const { value: rows, failure } = useLoaded(listMessages, changes, toPauseMs)
  return (
    <Card title="Messages" isBusy={!rows && !failure}>
      {failure && <LoadFailure what="The messages" failure={failure} />}
      {rows && (
        <DataTable
          title="Messages"
          rows={rows}
          columns={columns}
          toKey={({ id }) => id}
          toText={({ id, message }) => `${id} ${message}`}
          empty={
            <>
              No message is queued. Send one with <a href="#sendMessage">sendMessage</a>.
            </>
          }
        />
      )}
    </Card>
  )
}

/** A string of any length. A long one shows its beginning until the user opens it. */
function LongText({ text }: { text: string }) {
  if (text.length <= 160 && !text.includes('\n')) return <bdi>{text}</bdi>
  return (
    <details>
      <summary dir="auto">
        {text.slice(0, 160)}… ({text.length.toLocaleString('en')} characters)
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <pre tabIndex={0} dir="auto">
        {text}
      </pre>
    </details>
  )
}
