// Writes golden files with what the sandbox does now: npm run golden -- --accept <subject> …
// The only way to change one: every changed line is a decision, with its reason in the commit.
import { spawnSync } from 'node:child_process'

const [flag, ...names] = process.argv.slice(2)
if (flag === '--accept' && names.length > 0) {
  const titles = names.map((name) => `^${name} does what `).join('|')
  const args = ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/golden/', '-t', titles]
  const env = { ...process.env, GOLDEN_ACCEPT: names.join(',') }
  const { status } = spawnSync('npx', args, { stdio: 'inherit', env })
  process.exitCode = status ?? 1
} else {
  console.error(`Usage: npm run golden -- --accept <subject> …
The subjects are the files in test/golden/files.`)
  process.exitCode = 2
}
