import { clearFaults, listFaults, replaceFaults } from '../../../control/faults.js'
import { readFields, readJsonArgument } from '../read-argument.js'
import type { WorldAction } from '../runner.js'
import { toFaultsText } from '../text/faults.js'

export const showFaults: WorldAction = async ({ client, print }) => {
  print(await client.send(listFaults), toFaultsText)
}

/** The sandbox replaces all faults at once, so those that there are go along. */
export const addFault: WorldAction = async ({ client, print }, { args }) => {
  const fault = await readFields(args)
  const body = [...(await client.send(listFaults)), fault]
  print(await client.send(replaceFaults, { body }), toFaultsText)
}

export const setFaults: WorldAction = async ({ client, print }, { args }) => {
  const body = await readJsonArgument(args[0] ?? '', 'faults')
  print(await client.send(replaceFaults, { body }), toFaultsText)
}

export const removeFaults: WorldAction = async ({ client, print }) => {
  print(await client.send(clearFaults), toFaultsText)
}
