import { listMessages } from '../../../control/messages.js'
import type { WorldAction } from '../runner.js'
import { toTable } from '../text/columns.js'

export const showMessages: WorldAction = async ({ client, print }) => {
  print(await client.send(listMessages), (messages, paint) =>
    toTable(
      messages,
      [
        { title: 'ID', cell: ({ id }) => id },
        { title: 'QUEUED AT', cell: ({ createdAt }) => createdAt },
        { title: 'MESSAGE', cell: ({ message }) => message },
      ],
      paint,
      'messages',
    ),
  )
}
