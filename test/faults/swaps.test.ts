import { expect, it } from 'vitest'
import { swaps } from './swaps.ts'
import { SOURCES } from './webhook-process.ts'

it('a renewed pair is served within 2 s, and no review is lost over it (CT-3)', async () => {
  const { worstMs, failures, redialled, pooled, fresh } = await swaps(12, { program: SOURCES })
  expect({ failures, redialled }).toEqual({ failures: [], redialled: 0 })
  expect(worstMs).toBeLessThan(2_000)
  expect(pooled).toBeGreaterThan(100)
  expect(fresh).toBeGreaterThan(20)
}, 60_000)
