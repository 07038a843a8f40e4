import { describe, expect, it } from 'vitest'
import { aConfigMap, BOTH, nacosWith } from '../nacos/admitting.ts'
import { aSource, onChange, onDelete } from './reviewed.ts'

const OPS = aSource('ops', { i: 'server.port=8848' })
const team = (u: string, more: object = {}) => aSource('team', { u, ...more })
const TEAM = team('a=1')
const PROTECTING = aSource('ops', { i: 'server.port=8848' }, { 'nacos.io/protected-keys': 'server.*' })
const USED = { there: [nacosWith(BOTH), OPS, TEAM] }
const RESTART = 'warning: data: 1 Nacos cluster(s) will be restarted one member at a time: "n"; watch them (NC-ADM-46)'
const refused = (text: string) => [`422 Invalid: data[u]: ${text}`]

describe('NC-ADM-40 a source that is used stays readable', () => {
  const error = (line: string, users = '"n"') =>
    `ConfigMap "team" key "u" line ${line} (used by Nacos ${users}); correct that line (NC-ADM-40)`
  it.each([
    { name: 'a malformed escape', u: 'a=1\n\nb=\\u', line: '3: malformed \\uxxxx escape' },
    { name: 'an empty key', u: 'a=1\n=s3cret', line: '2: empty key' },
    { name: 'a control character', u: 'a=s3cret\0', line: '1: control character' },
    {
      name: 'a separator of documents',
      u: 'a=s3cret\n#---\nb=2',
      line: '2: starts another document, and the loaders of the server differ about it',
    },
    {
      name: 'a comment that swallows a line',
      u: 'a=s3cret\n# \\\nb=2',
      line: '2: comment whose backslash swallows the next line',
    },
  ])('$name is refused with its line, and without a value', async ({ u, line }) => {
    const words = await onChange(TEAM, team(u), USED)
    expect(words[0]).toBe(refused(error(line))[0])
    expect(words.join()).not.toContain('s3cret')
  })
  it('all errors are told, with all who read them', async () => {
    const there = [nacosWith(BOTH), nacosWith(BOTH, { name: 'm' }), OPS]
    const [decision] = await onChange(TEAM, team('=1\n=2'), { there })
    expect(decision).toBe(
      refused(`${error('1: empty key', '"n", "m"')}; data[u]: ${error('2: empty key', '"n", "m"')}`)[0],
    )
  })
  it('NC-MRG-05 a key that no Nacos reads may be anything', async () => {
    expect(await onChange(TEAM, team('a=1', { other: '\\u' }), USED)).toEqual(['allowed'])
    expect(await onChange(TEAM, team('\\u'), { there: [] })).toEqual(['allowed'])
  })
  it('NC-ADM-02 an error that stands there hinders no other edit', async () => {
    const old = team('\\u')
    expect(await onChange(old, { ...old, metadata: { ...old.metadata, annotations: { a: 'b' } } }, USED)).toEqual([
      'allowed',
    ])
    expect(await onChange(old, team('\\u', { other: 'x' }), USED)).toEqual(['allowed'])
  })
  it('NC-ADM-01, NC-MOD-02 a label that is taken away does not help, and without it no rule asks', async () => {
    const bare = aConfigMap('team', { u: '\\u' })
    expect((await onChange(TEAM, bare, USED))[0]).toMatch(/^422 .*NC-ADM-40/)
    const others = aConfigMap('team', { u: 'a=1' }, { labels: { 'nacos.io/config-role': 'other' } })
    expect(await onChange(others, { ...others, data: { u: '\\u' } }, USED)).toEqual(['allowed'])
  })
  it('new warnings are told, old ones are not', async () => {
    expect(await onChange(team('a=1\na=2'), team('a=1\na=3\nb=中'), USED)).toEqual([
      'allowed',
      'warning: data[u]: ConfigMap "team" key "u" line 3: non-ASCII text, which is escaped; correct that line (NC-ADM-40)',
      RESTART,
    ])
  })
  it('W9 a source that is emptied is warned of', async () => {
    expect(await onChange(TEAM, team('# a=1'), USED)).toContain(
      'warning: data[u]: ConfigMap "team" key "u" line 1: no property is left; correct that line (NC-ADM-40)',
    )
  })
})

describe('NC-ADM-41 NC-PRO-04 protected keys are not set', () => {
  const there = [nacosWith(BOTH), PROTECTING]
  const text = (line: number, key = 'server.port') =>
    `ConfigMap "team" key "u" line ${line}: key "${key}" is protected by ConfigMap "ops" and cannot be set here; leave it out (NC-ADM-41)`
  it.each([
    { name: 'added', from: 'a=1', to: 'a=1\nserver.port=s3cret', says: text(2) },
    { name: 'changed', from: 'server.port=1', to: 'server.port=s3cret', says: text(1) },
    { name: 'in another spelling', from: 'a=1', to: 'server.PO-RT=s3cret', says: text(1, 'server.PO-RT') },
  ])('one that is $name is refused', async ({ from, to, says }) => {
    const words = await onChange(team(from), team(to), { there })
    expect(words[0]).toBe(refused(says)[0])
    expect(words.join()).not.toContain('s3cret')
  })
  it('one that stood there warns', async () => {
    const words = await onChange(team('server.port=1'), team('server.port=1\nb=2'), { there })
    expect(words[0]).toBe('allowed')
    expect(words[1]).toMatch(
      /^warning: data\[u\]: ConfigMap "team" key "u" line 1: key "server\.port" is protected by .*\(NC-ADM-41\)$/,
    )
  })
  it('the internal source may set it', async () => {
    const next = aSource('ops', { i: 'server.port=1' }, PROTECTING.metadata.annotations ?? {})
    expect(await onChange(PROTECTING, next, { there })).toEqual(['allowed', RESTART])
  })
  it('those of the operator need no internal source', async () => {
    const around = {
      there: [nacosWith({ userConfigRef: BOTH.userConfigRef })],
      settings: { nacosProtectedKeys: ['db.*'] },
    }
    expect((await onChange(TEAM, team('db.url=x'), around))[0]).toBe(
      refused(
        'ConfigMap "team" key "u" line 1: key "db.url" is protected by the operator and cannot be set here; leave it out (NC-ADM-41)',
      )[0],
    )
  })
})

describe('NC-PRO-06 a protection that comes late warns', () => {
  const late = [
    'allowed',
    'warning: metadata.annotations: ConfigMap "team" key "u" line 2: key "server.port" is protected now; take it out there (NC-PRO-06)',
  ]
  it('of each key that the user sets', async () => {
    const there = [nacosWith(BOTH), team('a=1\nserver.port=2')]
    expect(await onChange(OPS, PROTECTING, { there })).toEqual(late)
    expect(await onChange(PROTECTING, PROTECTING, { there })).toEqual(['allowed'])
    expect(await onChange(PROTECTING, OPS, { there })).toEqual(['allowed'])
  })
  it('of none without a user source, or where it sets none', async () => {
    expect(await onChange(OPS, PROTECTING, USED)).toEqual(['allowed'])
    expect(await onChange(OPS, PROTECTING, { there: [nacosWith(BOTH)] })).toEqual(['allowed'])
  })
})

describe('NC-ADM-42 a key that is used stays', () => {
  const says = 'data[u]: key "u" is used by Nacos "n"; change the reference first (NC-ADM-42)'
  it.each([
    { name: 'gone', next: aSource('team', { other: 'a=1' }) },
    { name: 'binary now', next: { ...aSource('team', {}), binaryData: { u: 'AA==' } } },
  ])('it is refused: $name', async ({ next }) => {
    expect((await onChange(TEAM, next, USED))[0]).toBe(`422 Invalid: ${says}`)
  })
  it('one that is not used may go', async () => {
    expect(await onChange(team('a=1', { other: 'x' }), TEAM, USED)).toEqual(['allowed'])
  })
})

describe('NC-ADM-43 a source may be deleted', () => {
  it('with a warning while it is used', async () => {
    expect(await onDelete(TEAM, USED)).toEqual([
      'allowed',
      'warning: metadata.name: still used by Nacos "n"; the running configuration is kept but cannot be changed (NC-ADM-43)',
    ])
  })
  it('without one otherwise', async () => {
    expect(await onDelete(TEAM, { there: [nacosWith()] })).toEqual(['allowed'])
    expect(await onDelete(aConfigMap('team', {}), USED)).toEqual(['allowed'])
  })
})

describe('NC-MRG-48 E6 what cannot be merged is not stored', () => {
  const large = (bytes: number) => `a=${'x'.repeat(bytes - 2)}`
  const says = (bytes: number) =>
    refused(
      `the merged configuration has ${bytes} bytes, at most 1000000 are allowed (used by Nacos "n"); make one of its sources smaller (NC-MRG-48)`,
    )[0]
  const layout = Buffer.byteLength('# ===== Internal Configuration =====\n\n\n# ===== User Configuration =====\n\n')
  const ops = aSource('ops', { i: large(400_000) })
  const room = 1_000_000 - layout - 400_000

  it('with the other source of a Nacos', async () => {
    const there = [nacosWith(BOTH), ops, TEAM]
    expect((await onChange(TEAM, team(large(room + 1)), { there }))[0]).toBe(says(1_000_001))
    expect((await onChange(TEAM, team(large(room)), { there }))[0]).toBe('allowed')
  })
  it('with another key of the same ConfigMap, as it is to be', async () => {
    const same = { ...BOTH, internalConfigRef: { name: 'team', key: 'i' } }
    const next = team(large(room + 1), { i: large(400_000) })
    expect((await onChange(team('a=1', { i: 'b=2' }), next, { there: [nacosWith(same)] }))[0]).toBe(says(1_000_001))
  })
  it('by itself, counted as it is merged', async () => {
    const there = [nacosWith({ userConfigRef: BOTH.userConfigRef })]
    const text = `a=${'中'.repeat(170_000)}`
    expect((await onChange(TEAM, team(text), { there }))[0]).toBe(says(1_020_036))
  })
  it('one that no Nacos reads may be large', async () => {
    expect(await onChange(TEAM, team('a=1', { other: large(1_040_000) }), USED)).toEqual(['allowed'])
  })
})

describe('NC-ADM-46 an update says what it restarts', () => {
  it('the clusters that read it', async () => {
    expect(await onChange(TEAM, team('a=2'), USED)).toEqual(['allowed', RESTART])
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => nacosWith(BOTH, { name }))
    expect(await onChange(TEAM, team('a=2'), { there: names })).toEqual([
      'allowed',
      expect.stringContaining(
        '7 Nacos cluster(s) will be restarted one member at a time: "a", "b", "c", "d", "e" and 2 more;',
      ),
    ])
  })
  it.each([
    { name: 'line ends alone', from: 'a=1\n', to: 'a=1\r\n', metadata: {} },
    {
      name: 'a paused rollout',
      from: 'a=1',
      to: 'a=2',
      metadata: { annotations: { 'nacos.io/config-rollout': 'paused' } },
    },
    {
      name: 'a paused Nacos',
      from: 'a=1',
      to: 'a=2',
      metadata: { annotations: { 'nacos.io/reconcile-paused': 'true' } },
    },
  ])('nothing is restarted by $name', async ({ from, to, metadata }) => {
    expect(await onChange(team(from), team(to), { there: [nacosWith(BOTH, metadata)] })).toEqual(['allowed'])
  })
})
