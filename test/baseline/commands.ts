import fc from 'fast-check'
import { anyCommand, bodyOf, type Command, control } from '../control/commands.js'
import { anyFault, manyFaults, newOrder, newPet, patch, scenarioPart } from './bodies.js'
import { text } from './texts.js'
import { type BaselineRequest, toVariation, variation } from './variations.js'

/** What a client does. */
export type Action =
  | Exclude<Command, { type: 'request' }>
  | { readonly type: 'request'; readonly request: BaselineRequest }
  /** Starts a world from the snapshot of a world: its own, or that of the other client. */
  | { readonly type: 'restore'; readonly isOther: boolean }
  /** Sends any text on a connection. Only over HTTP. */
  | { readonly type: 'text'; readonly text: string }

type Example = readonly [line: string, body?: string]

/** Requests that usually succeed: one of each operation of the service, and of the control API. */
const serviceExamples: readonly Example[] = [
  ['GET api /inventory'],
  ['PATCH api /inventory/2', '{"quantity":7}'],
  ['GET api /pets/1'],
  ['GET api /store/orders'],
  ['POST quickstart /messages', '{"message":"Hi"}'],
]
const controlExamples: readonly Example[] = [
  ['GET control '],
  ['GET control /clock'],
  ['PATCH control /clock', '{"advance":1000}'],
  ['GET control /faults'],
  ['POST control /faults', '{"type":"delay","delayMs":5}'],
  ['PUT control /faults', '[]'],
  ['DELETE control /faults'],
  ['POST control /keys', '{"plan":"pro"}'],
  ['GET control /messages'],
  ['GET control /orders'],
  ['POST control /orders', '{"id":900,"petId":1}'],
  ['PATCH control /orders/1001', '{"complete":true}'],
  ['DELETE control /orders/1002'],
  ['GET control /pets'],
  ['POST control /pets', '{"petId":77,"name":"Rex"}'],
  ['PATCH control /pets/2', '{"status":"sold"}'],
  ['DELETE control /pets/2'],
  ['GET control /quota'],
  ['PATCH control /quota', '{"minute":{"remaining":1}}'],
  ['GET control /report'],
  ['GET control /requests'],
  ['GET control /journal'],
  ['DELETE control /requests'],
  ['GET control /events'],
  ['GET control /scenarios'],
  ['PUT control /scenario', '"low-stock"'],
  ['POST control /reset'],
  ['GET control /snapshot'],
]

const example = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...serviceExamples) },
  { weight: 1, arbitrary: fc.constantFrom(...controlExamples) },
)

/** One operation, with one variation of its request. */
const variedCommand: fc.Arbitrary<Action> = fc
  .record({ example, key: fc.nat(2), variation })
  .map(({ example: [line, body], key, variation: varied }) => {
    const [method = '', address = '', path = ''] = line.split(' ')
    const request = { method, address, path, key, body } as BaselineRequest // as in the examples
    return { type: 'request', request: toVariation(request, varied) }
  })

const ids = ['1', '7', '13', '900', '1001', '-9223372036854775808', '9223372036854775808', '1e3']

const queries = [
  'operation=getPet',
  'operation=none',
  'status=429',
  'status=4xx',
  'status=9xx',
  'text=INVENTORY',
  'text=quantity&limit=3',
  'since=2026-01-15T09:00:00Z&until=2026-01-15T09:01:00.250Z',
  'until=yesterday',
  'before=4&limit=2',
  'after=2',
  'after=x',
  'unmatched=false',
  'limit=0',
  'status=2xx&operation=listInventory&unmatched=false',
  'x=1&x=2',
  'text=%F0%9F%90%B6',
  'text=%',
]
const journalPaths = [
  ...queries.flatMap((query) => [`/requests?${query}`, `/journal?${query}`]),
  '/journal?limit=0',
  '/journal?limit=2',
  '/snapshot?name=my-world',
  '/snapshot?name=My+World',
]

/** Control requests with bodies and queries that the commands for all transports lack. */
const detailedCommand: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: control('GET', fc.constantFrom(...journalPaths)) },
  { weight: 4, arbitrary: control('POST', '/faults', bodyOf(anyFault, [{ rate: 2 }])) },
  {
    weight: 2,
    arbitrary: control('PUT', '/faults', bodyOf(fc.array(anyFault, { maxLength: 3 }), [[{}]])),
  },
  control('PUT', '/faults', fc.constant(JSON.stringify(manyFaults))),
  { weight: 2, arbitrary: control('POST', '/pets', bodyOf(newPet, [{}])) },
  { weight: 2, arbitrary: control('POST', '/orders', bodyOf(newOrder, [{}])) },
  control(
    'PATCH',
    fc.constantFrom(...ids).map((id) => `/pets/${id}`),
    bodyOf(patch, [{ name: null }]),
  ),
  control(
    'PATCH',
    fc.constantFrom(...ids).map((id) => `/orders/${id}`),
    bodyOf(patch, [{ petId: null }]),
  ),
  {
    weight: 2,
    arbitrary: control(
      'PUT',
      '/scenario',
      bodyOf(fc.tuple(fc.constantFrom('default', 'low-stock', 'slow'), scenarioPart), [
        { name: 'x', rules: { quantity: { minimum: 5, maximum: 1 } } },
        { name: 'x', extends: ['x'] },
      ]),
    ),
  },
)

const restoreCommand: fc.Arbitrary<Action> = fc.record({
  type: fc.constant('restore' as const),
  isOther: fc.boolean(),
})

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 12, arbitrary: anyCommand },
  { weight: 12, arbitrary: variedCommand },
  { weight: 5, arbitrary: detailedCommand },
  { weight: 1, arbitrary: restoreCommand },
)

export const actionOverHttp: fc.Arbitrary<Action> = fc.oneof(
  { weight: 9, arbitrary: action },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('text' as const), text }),
  },
)
