// Runs what takes too long for each change, and prints a table of times and results: npm run test:long
import { spawnSync } from 'node:child_process'

const folders = ['kill', 'redis', 'install', 'generators', 'recipes', 'abuse']
const steps = [
  ['properties', ['test/vitest.config.ts', 'property.test.ts']],
  ...folders.map((folder) => [folder, [`test/${folder}/vitest.config.ts`]]),
]

const rows = steps.map(([step, [config, ...files]]) => {
  const startMs = performance.now()
  const args = ['vitest', 'run', '--config', config, '--mode', 'full', ...files]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  return { step, seconds, result: status === 0 ? 'passed' : 'failed' }
})

console.table(rows)
if (rows.some(({ result }) => result === 'failed')) process.exitCode = 1
