import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The folder for temporary files: in memory if there is room, which halves the time of a build. */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2e9 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** The files that wait for the site of the sample corpus, which the first of them builds. */
const needsSite = /\/test\/(site|client)\//

/**
 * Starts one of the files that need the site first, and the others later: they would all wait
 * until it has built the site.
 */
class SiteOnceSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [first, ...others] = sorted.filter(({ moduleId }) => needsSite.test(moduleId))
    const free = sorted.filter(({ moduleId }) => !needsSite.test(moduleId))
    if (first === undefined) return free
    const before = Math.ceil(free.length / 4)
    return [first, ...free.slice(0, before), ...others, ...free.slice(before)]
  }
}

/** Whether the files run in random order: `npm test -- --sequence.shuffle.files`. */
const isShuffled = process.argv.includes('--sequence.shuffle.files')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    sequence: isShuffled ? {} : { sequencer: SiteOnceSequencer },
    setupFiles: ['test/harness/seeded.ts', 'test/harness/coverage.ts'],
    // One more than the two cores of a small machine: a file that waits for a process or a timer
    // leaves its core to another.
    maxWorkers: 3,
    // The sources have no state of their own: the files of a worker share what they import, which
    // saves a process and its imports for each of them.
    isolate: false,
    // Files are imported as Node imports them in service, without Vite.
    experimental: { viteModuleRunner: false },
    env: {
      TMPDIR: temporaryFolder(),
      // The tests start hundreds of processes, each of which would compile the same modules again.
      NODE_COMPILE_CACHE: join(tmpdir(), 'clip-lookup-compile-cache'),
    },
    // Builds, servers and child processes on two cores: a test may take a while, and none asserts how long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default'],
  },
})
