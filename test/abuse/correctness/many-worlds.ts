import { type Client, inParallel, type Reply } from '../client.js'
import { addresses, defineTrial, type Trial, type TrialContext } from '../trial.js'

/** Number of test workers that use the sandbox at the same time. */
const workers = 20

export const manyWorlds: Trial = defineTrial({
  name: 'many-worlds',
  title:
    'One client changes as many worlds of `default`, with the default limits of the server and of Node.js. Afterwards, each of them still has its change.',
  unit: 'worlds',
  attempts: { small: 2_000, full: 10_000 },
  isComplete: true,
  leavesWorlds: true,
  server: { hasDefaultHeap: true },
  async run(context) {
    const client = context.client(addresses.partner)
    await forEachWorld(context, async (index) => {
      await change(context, client, index)
      context.count()
    })
    let kept = 0
    await forEachWorld(context, async (index) => {
      if (await hasChange(context, client, index)) kept += 1
    })
    context.note(`${kept} of ${context.attempts} worlds kept their state.`)
  },
})

export const manyLabels: Trial = defineTrial({
  name: 'many-labels',
  title:
    'A test suite at one address uses a new label for each test. Each test changes and reads its world, also when the suite has used more labels than there is memory for.',
  unit: 'labels',
  attempts: { small: 5_000, full: 20_000 },
  isComplete: true,
  leavesWorlds: true,
  async run(context) {
    const client = context.client(addresses.partner)
    await forEachWorld(context, async (index) => {
      await change(context, client, index)
      await hasChange(context, client, index)
      context.count()
    })
    if (context.signal.aborted) return
    const last = context.attempts - 1
    if (await hasChange(context, client, last)) context.note('The last label has its world.')
  },
})

function forEachWorld(
  context: TrialContext,
  action: (index: number) => Promise<void>,
): Promise<void> {
  return inParallel(context.attempts, workers, context.ending, action)
}

const toKey = (index: number) => `sbx_free_default_label-${index}`
const toQuantity = (index: number) => 1_000 + index

async function change(context: TrialContext, client: Client, index: number): Promise<void> {
  const body = { quantity: toQuantity(index) }
  const reply = await client.send({
    method: 'PATCH',
    path: '/v1/inventory/1',
    apiKey: toKey(index),
    body,
  })
  expectSuccess(context, index, reply)
}

/** Reads the inventory of a world. Reports a failure, and a world without its change. */
async function hasChange(context: TrialContext, client: Client, index: number): Promise<boolean> {
  const reply = await client.send({ path: '/v1/inventory', apiKey: toKey(index) })
  if (!expectSuccess(context, index, reply)) return false
  const isChanged = reply.text.includes(`"petId":1,"quantity":${toQuantity(index)},`)
  if (!isChanged) context.violation(`the world of label ${index} has lost its change`)
  return isChanged
}

function expectSuccess(context: TrialContext, index: number, { status, text }: Reply): boolean {
  if (status === 200 || context.signal.aborted) return status === 200
  context.violation(`label ${index}: ${status} ${text.slice(0, 200)}`)
  return false
}
