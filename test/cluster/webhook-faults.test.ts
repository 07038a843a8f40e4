import { expect, it } from 'vitest'
import { apiServerFaults } from '../faults/api-server.ts'

it('what becomes of the API server is felt by nobody whom the cache can answer, and no longer than 5 s', async () => {
  const rows = await apiServerFaults({ quick: true })
  for (const { what, measured } of rows) process.stdout.write(`${what}: ${measured}\n`)
  expect(rows.filter(({ holds }) => !holds)).toEqual([])
}, 180_000)
