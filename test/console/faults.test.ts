import { describe, expect, it } from 'vitest'
import {
  amounts,
  type FaultForm,
  readFaultForm,
} from '../../src/console/overview/read-fault-form.js'
import { describeFault } from '../../src/world/faults/describe.js'
import { faultSchema } from '../../src/world/faults/faults.js'

const typed = { operation: '', amount: '', rate: '', times: '' }

describe('the form for a fault', () => {
  it.each<[FaultForm, string]>([
    [{ ...typed, type: 'status', amount: '503' }, 'every operation answers 503'],
    [
      { type: 'delay', operation: 'getPet', amount: '2000', rate: '20', times: '3' },
      'getPet waits 2000 ms, for 20 % of calls, 3 more times',
    ],
    [{ ...typed, type: 'reset', times: '1' }, 'every operation breaks the connection, once more'],
    [{ ...typed, type: 'truncate', amount: '25' }, 'every operation cuts the body off after 25 %'],
  ])('reads %o as a fault that the sandbox takes', (form, sentence) => {
    expect(describeFault(faultSchema.parse(readFaultForm(form)))).toBe(sentence)
  })

  it.each(Object.keys(amounts) as (keyof typeof amounts)[])(
    'begins with an amount that fits a fault of type %s, and so do its bounds',
    (type) => {
      const { initial, min, max } = amounts[type]
      for (const amount of [initial, String(min), String(max)]) {
        expect(faultSchema.safeParse(readFaultForm({ ...typed, type, amount })).success).toBe(true)
      }
    },
  )
})
