import { getOverview } from '../../../control/overview.js'
import { listScenarios, putScenario, resetWorld } from '../../../control/scenarios.js'
import { getSnapshot } from '../../../control/snapshot.js'
import { readScenarioFile } from '../../../scenario/files.js'
import { scenarioSchema } from '../../../scenario/schema.js'
import { writeOutput } from '../../write-output.js'
import type { WorldAction } from '../runner.js'
import { toTable } from '../text/columns.js'
import { toOverviewText } from '../text/overview.js'

export const showWorld: WorldAction = async ({ client, print }) => {
  print(await client.send(getOverview), toOverviewText)
}

export const showScenarios: WorldAction = async ({ client, print }) => {
  print(await client.send(listScenarios), (scenarios, paint) =>
    toTable(
      scenarios,
      [
        { title: 'NAME', cell: ({ name }) => name },
        { title: 'FROM', cell: ({ source }) => source },
        { title: 'DESCRIPTION', cell: ({ description }) => description },
      ],
      paint,
      'scenarios',
    ),
  )
}

/** One scenario is sent as it is and several as a list, so that the world has its name. */
export const useScenarios: WorldAction = async ({ client, print }, { args }) => {
  const sources = await Promise.all(args.map(readSource))
  const body = sources.length === 1 ? sources[0] : sources
  print(await client.send(putScenario, { body }), toOverviewText)
}

export const reset: WorldAction = async ({ client, print }) => {
  print(await client.send(resetWorld), toOverviewText)
}

/** Its row leaves the answer to those who read it. */
const getScenario = { ...getSnapshot, response: scenarioSchema }

export const takeSnapshot: WorldAction = async ({ client, terminal }, command) => {
  const { name, output }: { name?: string; output?: string } = command.opts()
  const text = `${JSON.stringify(await client.send(getScenario, { query: { name } }), null, 2)}\n`
  await writeOutput(text, output, terminal)
}

/** A name is kebab-case, so that a dot or a slash can only mean a file. */
async function readSource(source: string): Promise<unknown> {
  if (!/[./\\]/.test(source)) return source
  return (await readScenarioFile(source)).file
}
