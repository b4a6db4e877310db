import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundledData } from '../support/bundled-data.js'
import { replacing } from '../vitest.config.js'

/** Runs the golden files last: most mutants are killed by a faster test. */
class PartsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted((a, b) => b.moduleId.localeCompare(a.moduleId))
    const isGolden = ({ moduleId }: TestSpecification) => moduleId.includes('/golden/')
    return [...sorted.filter((file) => !isGolden(file)), ...sorted.filter(isGolden)]
  }
}

/** The tests that run for each mutant: they start no programs. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: bundledData },
  test: {
    include: [
      'test/{engine,world}/**/*.test.ts',
      'test/service/{*,validation/*}.test.ts',
      'test/conformance/{control,service}/fetch.test.ts',
      'test/golden/{records,replays}.test.ts',
      'test/control/{event-feed,events}.test.ts',
      'test/transport/http/{access,clients,privacy,user-handlers}.test.ts',
      'test/transport/in-process/{abort,on-change}.test.ts',
      'test/vitest/fixture.test.ts',
      'test/store/*.test.ts',
    ],
    exclude: replacing,
    // Loaded before the tests. The first test that needs it would load it otherwise, and Stryker would
    // take its constants for code that only this test executes.
    setupFiles: 'src/engine/control.ts',
    isolate: false,
    sequence: { sequencer: PartsFirst },
    // Ends a mutant whose test hangs. Tests of large bodies take seconds with the counters of Stryker.
    testTimeout: 20_000,
  },
})
