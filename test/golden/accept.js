// Writes golden files with what the sandbox does now: npm run golden -- --accept <subject> …
// The only way to change one: every changed line is a decision, with its reason in the commit.
import { spawnSync } from 'node:child_process'

const [flag, ...names] = process.argv.slice(2)
if (flag !== '--accept' || names.length === 0) {
  console.error(
    'Usage: npm run golden -- --accept <subject> …\nThe subjects are the files in test/golden/files.',
  )
  process.exit(2)
}
const titles = names.map((name) => `^${name} does what `).join('|')
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--config',
    'test/vitest.config.ts',
    'test/golden/golden.test.ts',
    '-t',
    titles,
  ],
  { stdio: 'inherit', env: { ...process.env, GOLDEN_ACCEPT: names.join(',') } },
)
process.exit(status ?? 1)
