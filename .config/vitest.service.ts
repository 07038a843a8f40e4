import { defineConfig } from 'vitest/config'

// One control plane and one installation for all suites, so files run one after another.
export default defineConfig({
  test: {
    include: ['test/cluster/service/**/*.test.ts'],
    globalSetup: ['test/cluster/service/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
