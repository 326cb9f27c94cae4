import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from '../../vitest.config.ts'

/** Starts the quickest files first, because the first test that fails ends a run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse()
  }
}

export default defineConfig({
  test: {
    ...base.test,
    include: ['test/{metering,nightly,proxy,tree}/**/*.test.ts'],
    // Each of its files waits until the developer site is built.
    exclude: ['test/proxy/site/**'],
    sequence: { sequencer: QuickestFirst },
    testTimeout: 60_000,
  },
})
