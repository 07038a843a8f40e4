import { describe, expect, it } from 'vitest'
import { tserver } from '../../../../webhooks/tars/tserver/kind.ts'
import { aServant, aTServer } from '../../../support/builders/servers.ts'

describe('what a TServer is and stays holds while nobody answers (CV-1)', () => {
  const idsOf = (next: unknown, prev?: unknown) =>
    tserver([])
      .identity(next, prev)
      .map(({ rule }) => rule.id)
  const long = aTServer({ server: 'E'.repeat(60) })

  it.each([
    { name: 'a good one', next: aTServer(), prev: undefined, ids: [] },
    { name: 'a misnamed one', next: aTServer({ name: 'echo' }), prev: undefined, ids: ['TS-V6'] },
    { name: 'a long name', next: long, prev: undefined, ids: ['TS-V7'] },
    {
      name: 'a misnamed one that was so before',
      next: aTServer({ name: 'echo' }),
      prev: aTServer({ name: 'echo' }),
      ids: [],
    },
    { name: 'another app', next: aTServer({ app: 'demo' }), prev: aTServer(), ids: ['TS-V1'] },
    { name: 'another server', next: aTServer({ server: 'echo' }), prev: aTServer(), ids: ['TS-V2'] },
    { name: 'another subType', next: aTServer({ normal: [] }), prev: aTServer(), ids: ['TS-V3'] },
    { name: 'other servants', next: aTServer({ servants: [aServant({ port: 19385 })] }), prev: aTServer(), ids: [] },
  ])('$name', ({ next, prev, ids }) => {
    expect(idsOf(next, prev)).toEqual(ids)
  })
})
