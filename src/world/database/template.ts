import type { Message, Order, Pet } from '../../service/schemas.js'
import { limitMessages } from './messages.js'
import {
  messageRows,
  orderRows,
  petRows,
  Rows,
  sizeOfRow,
  toMessage,
  toOrder,
  toOrderRow,
  toPet,
  toPetRow,
} from './rows.js'

/** Records of a scenario. */
export interface Records {
  readonly pets: readonly Pet[]
  readonly orders: readonly Order[]
  readonly messages: readonly Message[]
}

/** The records of a scenario, loaded once and shared by its worlds. They never change. */
export class RecordTemplate implements Records {
  readonly petRows = new Rows(petRows)
  readonly orderRows = new Rows(orderRows)
  readonly messageRows = new Rows(messageRows)
  /** Estimated heap, in bytes. */
  bytes = 0
  /** The part of `bytes` that messages occupy. */
  messageBytes = 0

  /** Adds a row. Returns its estimated heap, in bytes. */
  put<Row extends object>(rows: Rows<Row>, row: Row): number {
    rows.put(row)
    const bytes = sizeOfRow(rows.kind, row)
    this.bytes += bytes
    return bytes
  }

  get pets(): Pet[] {
    return Array.from(this.petRows.values(), toPet)
  }

  get orders(): Order[] {
    return Array.from(this.orderRows.values(), toOrder)
  }

  get messages(): Message[] {
    return Array.from(this.messageRows.values(), toMessage)
  }
}

/** Loads records into a template. It retains none of the objects. */
export function toTemplate({ pets, orders, messages }: Records): RecordTemplate {
  const template = new RecordTemplate()
  for (const pet of pets) template.put(template.petRows, toPetRow(pet))
  for (const order of orders) template.put(template.orderRows, toOrderRow(order))
  for (const message of limitMessages(messages)) {
    template.messageBytes += template.put(template.messageRows, message)
  }
  return template
}
