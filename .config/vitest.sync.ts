import { defineConfig } from 'vitest/config'

// Each suite starts its own stores; on two cores, two at a time would make their faults slower than their limits.
export default defineConfig({
  test: {
    include: ['test/sync/*.test.ts'],
    globalSetup: ['test/sync/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
