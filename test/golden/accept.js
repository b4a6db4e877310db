// Writes golden files with what the sandbox does now: npm run golden -- --accept <subject> …
// The only way to change one: every changed line is a decision, with its reason in the commit.
// Records the requests of tests that are new: npm run golden -- --record [<subject> …]
import { spawnSync } from 'node:child_process'

const [flag, ...names] = process.argv.slice(2)
if (flag === '--accept' && names.length > 0) {
  run('test/vitest.config.ts', 'test/golden/', toTitles('does what '), {
    GOLDEN_ACCEPT: names.join(','),
  })
} else if (flag === '--record') {
  run('test/golden/record/vitest.config.ts', 'test/golden/record/record.ts', toTitles(''), {})
} else {
  console.error(
    `Usage: npm run golden -- --accept <subject> …
       npm run golden -- --record [<subject> …]
The subjects are the files in test/golden/files.`,
  )
  process.exitCode = 2
}

/** Returns the start of the titles of the tests of the subjects; of all tests without a subject. */
function toTitles(following) {
  return names.map((name) => `^${name} ${following}`).join('|')
}

function run(config, file, titles, variables) {
  const filter = titles === '' ? [] : ['-t', titles]
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, file, ...filter], {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  process.exitCode = status ?? 1
}
