import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    taskTitleValueFormatTruncate: 0, // titles are sentences
    exclude: [
      ...['cluster', 'kruise', 'cloudflare/contract', 'sync', 'nacos-oracle'].map((folder) => `test/${folder}/**`),
      'node_modules/**',
    ],
    coverage: {
      provider: 'v8',
      include: ['webhooks/**/*.ts', 'src/admission/**/*.ts'],
      thresholds: { lines: 100, functions: 100 },
      reporter: ['text-summary', 'text'],
      skipFull: true,
    },
  },
})
