// Prints "<passed> <failed>" from vitest's JSON report and the exit status of its run. A test file that
// fails before its tests start counts as one failure. A run that fails without a failure in its
// report, or without a report, also counts as one failure.
import { existsSync, readFileSync } from 'node:fs'

const [report, status] = process.argv.slice(2)
const { numPassedTests: passed, testResults } = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { numPassedTests: 0, testResults: [] }

const failed = testResults.reduce((sum, file) => {
  const failures = file.assertionResults.filter((test) => test.status === 'failed').length
  return sum + (failures || (file.status === 'failed' ? 1 : 0))
}, 0)

console.log(passed, failed || (status === '0' ? 0 : 1))
