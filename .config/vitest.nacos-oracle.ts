import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/nacos-oracle/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
