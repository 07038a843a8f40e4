import { describe, expect, it } from 'vitest'
import { aConfigMap, BOTH, itSaysOfOld, nacosWith, OPS, onUpdate, refused, TEAM, warned } from './admitting.ts'

const PROTECTING = aConfigMap(
  'ops',
  { i: 'server.port=8848' },
  { annotations: { 'nacos.io/protected-keys': 'server.*' } },
)
const BROKEN = aConfigMap('team', { u: '# c\n\nk=s3cret\\u\n=x' })
const FORBIDDEN = aConfigMap('team', { u: 'a=1\nserver.port=s3cret' })

describe('NC-ADM-23 a source that is named is well', () => {
  const bad = (...texts: readonly string[]) =>
    refused(
      ...texts.map(
        (text) =>
          `spec.userConfigRef: ConfigMap "team" key "u" line ${text}; correct that line first, or name another ConfigMap (NC-ADM-23)`,
      ),
    )
  const malformed = ['3: malformed \\uxxxx escape', '4: empty key'] as const
  const key = '2: key "server.port" is protected by ConfigMap "ops" and cannot be set here'
  itSaysOfOld([
    { name: 'good ones pass', spec: BOTH },
    { name: 'every error has its line', spec: BOTH, there: [OPS, BROKEN], says: bad(...malformed) },
    { name: 'a protected key is refused', spec: BOTH, there: [PROTECTING, FORBIDDEN], says: bad(key) },
    {
      name: 'NC-PRO-01 NC-PRO-04 one that the operator protects',
      spec: BOTH,
      there: [OPS, FORBIDDEN],
      settings: { nacosProtectedKeys: ['server.port'] },
      says: bad(key),
    },
    {
      name: 'E6 what cannot be merged, since it is too large',
      spec: BOTH,
      there: [OPS, aConfigMap('team', { u: `a=${'x'.repeat(1_000_000)}` })],
      says: refused(
        'spec.userConfigRef: the merged configuration has 1000092 bytes, at most 1000000 are allowed; make one of the sources smaller (NC-ADM-23)',
      ),
    },
    { name: 'no protected key passes', spec: BOTH, there: [PROTECTING, TEAM] },
    {
      name: 'an error under another key passes (NC-MRG-05)',
      spec: BOTH,
      there: [OPS, aConfigMap('team', { u: 'a=1', other: '\\u' })],
    },
  ])
  it('NC-ADM-02 a reference that stays is not looked at again', async () => {
    const there = [OPS, BROKEN]
    expect(await onUpdate(nacosWith(BOTH), nacosWith({ ...BOTH, replicas: 5 }), { there })).toBe('allowed')
  })
  it('another key of the same ConfigMap is looked at', async () => {
    const there = [OPS, aConfigMap('team', { u: 'a=1', v: '=x' })]
    const next = nacosWith({ ...BOTH, userConfigRef: { name: 'team', key: 'v' } })
    expect(await onUpdate(nacosWith(BOTH), next, { there })).toContain('ConfigMap "team" key "v" line 1: empty key')
  })
  it('another internal source may protect keys that the user sets', async () => {
    const there = [PROTECTING, FORBIDDEN, aConfigMap('old', { i: 'a=1' })]
    const prev = nacosWith({ ...BOTH, internalConfigRef: { name: 'old', key: 'i' } })
    expect(await onUpdate(prev, nacosWith(BOTH), { there })).toBe(bad(key))
  })
})

describe('NC-ADM-25 a source may come later', () => {
  const missing = (field: string, name: string, key: string) =>
    `spec.${field}: ConfigMap "${name}" (key "${key}") is missing; pods wait (NC-ADM-25)`
  it('a missing ConfigMap and a missing key are told', async () => {
    const words = await onUpdate(nacosWith(), nacosWith(BOTH), { there: [aConfigMap('team', { other: 'a=1' })] })
    expect(words.split('\n')).toEqual([
      'allowed',
      `warning: ${missing('internalConfigRef', 'ops', 'i')}`,
      `warning: ${missing('userConfigRef', 'team', 'u')}`,
    ])
  })
  it('a warning has room for both names of the usage guide', async () => {
    const internalConfigRef = { name: 'nacos-internal-config', key: 'internal.properties' }
    expect(await onUpdate(nacosWith(), nacosWith({ internalConfigRef }), { there: [] })).toBe(
      warned(missing('internalConfigRef', internalConfigRef.name, internalConfigRef.key)),
    )
  })
  it('a ConfigMap without data has no key', async () => {
    const words = await onUpdate(nacosWith(), nacosWith(BOTH), { there: [OPS, aConfigMap('team')] })
    expect(words).toContain('ConfigMap "team" (key "u")')
  })
  it('nothing is told again while the reference stays', async () => {
    expect(await onUpdate(nacosWith(BOTH), nacosWith({ ...BOTH, replicas: 5 }), { there: [] })).toBe('allowed')
  })
})

it('no value of a source is told', async () => {
  for (const there of [
    [OPS, BROKEN],
    [PROTECTING, FORBIDDEN],
  ])
    expect(await onUpdate(nacosWith(), nacosWith(BOTH), { there })).not.toContain('s3cret')
})
