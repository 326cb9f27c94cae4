import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The folder for temporary files: in memory if there is room, which halves the time of a build. */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2e9 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/harness/seeded.ts'],
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
