import { defineConfig } from 'vitest/config'

// One control plane for all suites, so files run one after another.
export default defineConfig({
  test: {
    include: ['test/cluster/*.test.ts'],
    globalSetup: ['test/cluster/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
