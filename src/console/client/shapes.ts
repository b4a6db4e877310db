import type { z } from 'zod'
import type { clockStateSchema } from '../../control/clock.js'
import type { overviewSchema } from '../../control/overview.js'
import type { quotaStateSchema } from '../../control/quota.js'
import type { requestSchema } from '../../control/requests.js'

/** What the control API answers, by the schemas that it holds its answers against. */
export type Overview = z.output<typeof overviewSchema>
export type ClockState = z.output<typeof clockStateSchema>
export type QuotaState = z.output<typeof quotaStateSchema>
export type JournalRow = z.output<typeof requestSchema>

/** A pet with its stock; an id past 2^53−1 comes as a string. */
export interface PetRow {
  readonly petId: number | string
  readonly name: string
  readonly quantity: number
  readonly status: string
  readonly category?: string
}

/** A store order (A04). */
export interface OrderRow {
  readonly id: number | string
  readonly petId: number | string
  readonly quantity: number
  readonly status: string
  readonly shipDate?: string
  readonly complete?: boolean
}
