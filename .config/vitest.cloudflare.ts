import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const FOLDER = resolve('node_modules/.cache/cloudflare/node_modules/cloudflare')

export default defineConfig({
  resolve: { alias: [{ find: /^cloudflare$/, replacement: `${FOLDER}/index.mjs` }] },
  test: {
    include: ['test/cloudflare/contract/*.test.ts'],
    testTimeout: 60_000,
  },
})
