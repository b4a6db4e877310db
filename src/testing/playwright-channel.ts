import type { TestInfo } from '@playwright/test'
import type { WorldRequests } from '../report/merge.js'

/** An attachment of Playwright. */
type Attachment = TestInfo['attachments'][number]

/** Playwright's reporters do not list attachments whose name starts with an underscore. */
const attachmentName = '_petstore-sandbox'

/** Environment variable that Playwright passes to its workers. */
const variable = 'PETSTORE_SANDBOX_REPORT'

/** Lets the fixtures of Playwright's workers attach their requests. */
export function announceReport(): void {
  process.env[variable] = '1'
}

/** Whether a reporter reads the attachments. */
export function isReportAnnounced(): boolean {
  return process.env[variable] === '1'
}

/** Converts requests to an attachment. Returns none if there are no requests. */
export function toAttachments(worlds: readonly WorldRequests[]): Attachment[] {
  if (worlds.length === 0) return []
  const body = Buffer.from(JSON.stringify(worlds))
  return [{ name: attachmentName, contentType: 'application/json', body }]
}

/** Returns the requests of the attachments of a test. */
export function readAttachments(attachments: readonly Attachment[]): WorldRequests[] {
  return attachments.flatMap(({ name, body }) => {
    if (name !== attachmentName || !body) return []
    const worlds: WorldRequests[] = JSON.parse(body.toString()) // written by toAttachments
    return worlds
  })
}
