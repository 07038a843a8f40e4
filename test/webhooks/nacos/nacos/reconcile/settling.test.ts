import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../../../src/setting.ts'
import type { SettleMemory } from '../../../../../webhooks/nacos/nacos/reconcile/memory.ts'
import { settling, versionsOf } from '../../../../../webhooks/nacos/nacos/reconcile/settling.ts'
import { aNacos } from '../../../../support/builders/nacos.ts'

const SETTINGS = settingsOf({})
const steady = aNacos({}, {}, { observedGeneration: 1 })
const sources = (version: string) => [
  {
    ref: { owner: 'user', name: 'user', key: 'user.properties' } as const,
    found: { metadata: { name: 'user', uid: 'u', resourceVersion: version } },
  },
]
function settled(seconds: number, version: string, before?: SettleMemory, nacos = steady) {
  const remembered = before && { settle: before }
  return settling(
    { nacos, sources: sources(version) },
    { at: new Date(seconds * 1_000), settings: SETTINGS, ...(remembered && { remembered }) },
  )
}

describe('NC-ROL-01 sources settle', () => {
  it('when no other version was seen for the time', () => {
    const first = settled(0, '1')
    expect(first).toMatchObject({ forMs: 5_000 })
    const second = settled(3, '2', first)
    expect(second).toMatchObject({ forMs: 5_000 })
    expect(settled(7, '2', second)).toMatchObject({ forMs: 1_000 })
    expect(settled(8, '2', second)).toBeUndefined()
  })

  it('after six times that, however often they change', () => {
    let memory = settled(0, '0')
    for (let at = 4; at < 28; at += 4) memory = settled(at, String(at), memory)
    expect(settled(28, '28', memory)).toMatchObject({ forMs: 2_000 })
    expect(settled(30, '30', memory)).toBeUndefined()
  })

  it('at once with a change of the spec', () => {
    expect(settled(0, '1', undefined, aNacos({}, { generation: 2 }, { observedGeneration: 1 }))).toBeUndefined()
  })

  it('NC-ROL-10 not at all where they were seen during a pause, and those that were not do', () => {
    const given = { at: new Date(0), settings: SETTINGS, remembered: { paused: versionsOf(sources('1')) } }
    expect(settling({ nacos: steady, sources: sources('1') }, given)).toBeUndefined()
    expect(settling({ nacos: steady, sources: sources('2') }, given)).toMatchObject({ forMs: 5_000 })
  })

  it.each([
    ['0', undefined],
    ['600', 600_000],
    ['601', 5_000],
    ['x', 5_000],
    ['', 5_000],
  ])('for %j s by the annotation', (value, forMs) => {
    const nacos = aNacos({}, { annotations: { 'nacos.io/config-settle-seconds': value } }, { observedGeneration: 1 })
    expect(settled(0, '1', undefined, nacos)?.forMs).toBe(forMs)
  })
})
