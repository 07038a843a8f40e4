import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/kruise/*.test.ts'],
    globalSetup: ['test/cluster/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
