import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/harness/seeded.ts'],
    maxWorkers: 2,
    // Builds, servers and child processes on two cores: a test may take a while, and none asserts how long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
