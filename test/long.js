// Runs what takes too long for each change, and prints a table of times and results: npm run test:long
import { spawnSync } from 'node:child_process'

const steps = ['kill', 'redis', 'install', 'generators', 'recipes', 'abuse']

const rows = steps.map((step) => {
  const startMs = performance.now()
  const args = ['vitest', 'run', '--config', `test/${step}/vitest.config.ts`, '--mode', 'full']
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  return { step, seconds, result: status === 0 ? 'passed' : 'failed' }
})

console.table(rows)
if (rows.some(({ result }) => result === 'failed')) process.exitCode = 1
