import { describe, expect, it } from 'vitest'
import { tconfig } from '../../../../webhooks/tars/tconfig/kind.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig } from '../../../support/builders/configs.ts'

it('TConfig keeps no content in memory, and writes nothing but marks', () => {
  expect(tconfig.reads).toMatchObject([
    { keeps: { fields: ['metadata.deletionTimestamp'] } },
    { resource: { plural: 'namespaces' }, asks: ['get'] },
  ])
  expect(tconfig.writes).toMatchObject([{ resource: { plural: 'tconfigs' }, verbs: ['merge'] }])
})

describe('what the schema takes (tars.md 3.3)', () => {
  const fits = (more: object) => TCONFIG.is({ ...aTConfig(), ...more })

  it.each([
    { field: 'app', good: ['Demo', 'd', 'A'.repeat(63)], bad: ['', '1a', 'a-b', 'a.b', 'A'.repeat(64)] },
    { field: 'server', good: ['', 'Echo', 'e1'], bad: ['1', 'a b', 'A'.repeat(64)] },
    { field: 'configName', good: ['a', 'a-b_c.conf', 'a'.repeat(63)], bad: ['', '.a', 'a.', 'a/b', 'a'.repeat(64)] },
    { field: 'podSeq', good: ['m', '0', '9', '10', '99'], bad: ['', '01', '100', '-1', 'M', 'm1'] },
    { field: 'version', good: ['20220117113532-77fcbf18', 'a'], bad: ['', '-a', 'A', 'a'.repeat(64)] },
    { field: 'updateTime', good: ['2026-01-01T00:00:00Z', '2026-01-01T08:00:00.5+08:00'], bad: ['2026-01-01', 'now'] },
  ])('$field', ({ field, good, bad }) => {
    for (const value of good) expect([value, fits({ [field]: value })]).toEqual([value, true])
    for (const value of bad) expect([value, fits({ [field]: value })]).toEqual([value, false])
  })
})
