import { describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { nacosConfigMap } from '../../../webhooks/nacos/configmap/kind.ts'
import { nacosKind } from '../../../webhooks/nacos/nacos/kind.ts'
import { aSource, onChange, onDelete } from './configmap/reviewed.ts'
import { type Around, aConfigMap, BOTH, deletionOf, nacosWith, onCreate, onUpdate, wordsTo } from './nacos/admitting.ts'

// The words of each rule are asserted where its details are. Here no rule is missing.

interface RuleCase {
  readonly id: string
  readonly bad: () => Promise<string>
  readonly good: () => Promise<string>
  /** What was bad already, and another change. */
  readonly stood?: () => Promise<string>
}

/** A rule of a Nacos as it is written. */
function written(id: string, bad: Tree, good: Tree = {}, there?: Around['there']): RuleCase {
  const around = there && { there }
  const stored = nacosWith(bad)
  return {
    id,
    bad: () => onCreate(stored, around),
    good: () => onCreate(nacosWith(good), around),
    stood: () => onUpdate(stored, { ...stored, status: {} }, around),
  }
}
/** A rule of an update of a Nacos. */
function changed(id: string, spec: Tree, bad: Tree, good: Tree): RuleCase {
  return {
    id,
    bad: () => onUpdate(nacosWith(spec), nacosWith({ ...spec, ...bad })),
    good: () => onUpdate(nacosWith(spec), nacosWith({ ...spec, ...good })),
  }
}
function named(id: string, bad: string, there: readonly Built[] = []): RuleCase {
  const stored = nacosWith({}, { name: bad })
  return {
    id,
    bad: () => onCreate(stored, { there }),
    good: () => onCreate(nacosWith(), { there }),
    stood: () => onUpdate(stored, { ...stored, status: {} }, { there }),
  }
}
/** A rule of an update of a source. */
function edited(id: string, prev: Built, bad: Built, good: Built): RuleCase {
  const around = { there: [nacosWith(BOTH), OPS, TEAM] }
  const labelled = { ...bad, metadata: { ...bad.metadata, labels: { ...bad.metadata.labels, a: 'b' } } }
  return {
    id,
    bad: () => onChange(prev, bad, around).then(String),
    good: () => onChange(prev, good, around).then(String),
    stood: () => onChange(bad, labelled, around).then(String),
  }
}

const PROTECTS = { 'nacos.io/protected-keys': 'server.port' }
const OPS = aSource('ops', { i: 'a=1' }, PROTECTS)
const team = (u: string) => aSource('team', { u })
const TEAM = team('a=1')
const OWNERS = [{ apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'n', uid: 'u', controller: true }]
const FINAL = aConfigMap('f', { a: '1' }, { labels: { 'nacos.io/config-role': 'final' }, ownerReferences: OWNERS })
const USED = { there: [nacosWith(BOTH)] }
const MALFORMED = [aConfigMap('ops', { i: 'a=1' }), aConfigMap('team', { u: 'a=\\u' })]
const other = (spec: Tree) => [nacosWith(spec, { name: 'm' })]
const claim = (storage: string) => ({ volume: { enabled: true, requests: { storage } } })
const guarded = (value: string) => nacosWith({}, { annotations: { 'nacos.io/deletion-protection': value } })

const CASES: readonly RuleCase[] = [
  named('NC-ADM-10', '1'),
  named('NC-ADM-14', 'm-client', other({})),
  written('NC-ADM-11', { type: 'x' }),
  written('NC-ADM-12', { replicas: 0 }),
  written('NC-ADM-13', { image: '' }),
  written('NC-ADM-15', { userConfigRef: {} }, BOTH),
  written('NC-ADM-16', { ...BOTH, finalConfigName: 'ops' }, BOTH),
  written('NC-ADM-17', { ...BOTH, finalConfigName: 'm-final-config' }, BOTH, other(BOTH)),
  written('NC-ADM-18', { internalConfigRef: BOTH.userConfigRef, userConfigRef: BOTH.userConfigRef }, BOTH),
  written('NC-ADM-19', { k8sWrapper: { PodSpec: {}, podSpec: {} } }, { k8sWrapper: { PodSpec: {} } }),
  changed('NC-ADM-20', {}, { type: 'standalone', replicas: 1 }, { replicas: 5 }),
  changed('NC-ADM-21', claim('2Gi'), claim('1Gi'), claim('2048Mi')),
  written('NC-ADM-22', { volume: { persistentVolumeSize: 'x' } }, { volume: { persistentVolumeSize: '1Gi' } }),
  written('NC-ADM-23', BOTH, {}, MALFORMED),
  written('NC-ADM-24', { userConfigRef: BOTH.userConfigRef }, BOTH),
  written('NC-ADM-25', BOTH, {}, []),
  written('NC-ADM-28', { ...BOTH, config: 'a=1' }, BOTH),
  written('NC-ADM-29', { config: 'a=1' }, { config: 'a=1', image: 'nacos:1.4.4' }),
  written('NC-ADM-30', { mysqlInitImage: 'x' }),
  written('NC-STS-52', { volume: { keepAfterDeletion: false } }, { volume: { keepAfterDeletion: true } }),
  written('NC-STS-55', { volume: { hostPath: {} } }, { volume: { emptyDir: {} } }),
  {
    id: 'NC-ADM-26', // a stored one goes on to be warned of
    bad: () => onCreate(nacosWith({ certification: { enabled: true } })),
    good: () => onCreate(nacosWith({ certification: { enabled: true, token: 'x' } })),
  },
  { id: 'NC-ADM-90', bad: () => wordsTo(deletionOf(guarded('true'))), good: () => wordsTo(deletionOf(nacosWith())) },
  edited('NC-ADM-40', TEAM, team('a=\\u'), team('a=2')),
  edited('NC-ADM-41', TEAM, team('server.port=1'), team('a=2')),
  edited('NC-ADM-42', TEAM, aSource('team', {}), team('a=2')),
  edited('NC-ADM-46', TEAM, team('a=2'), aSource('team', { u: 'a=1', other: 'x' })),
  edited(
    'NC-PRO-06',
    aSource('ops', { i: 'a=1' }),
    aSource('ops', { i: 'a=1' }, { 'nacos.io/protected-keys': 'a' }),
    OPS,
  ),
  edited('NC-MRG-48', TEAM, team(`a=${'x'.repeat(1_000_000)}`), team('a=2')),
  {
    id: 'NC-ADM-43',
    bad: () => onDelete(TEAM, USED).then(String),
    good: () => onDelete(TEAM, { there: [] }).then(String),
  },
  {
    id: 'NC-ADM-44',
    bad: () => onChange(FINAL, { ...FINAL, data: {} }, USED).then(String),
    good: () => onChange(FINAL, { ...FINAL, metadata: { ...FINAL.metadata, annotations: {} } }, USED).then(String),
  },
  {
    id: 'NC-ADM-45',
    bad: () => onDelete(FINAL, USED).then(String),
    good: () => onDelete(FINAL, { there: [] }).then(String),
  },
]

describe('NC-TST-28 every rule', () => {
  it('of both kinds has its cases', () => {
    const rules = [nacosKind, nacosConfigMap].flatMap((kind) => kind.rules.map(({ id }) => id))
    expect(CASES.map(({ id }) => id).sort()).toEqual([...rules].sort())
  })

  it.each(CASES)('$id is told of what is bad, not of what is good, and not of what was bad already', async (each) => {
    expect(await each.bad()).toContain(`(${each.id})`)
    expect(await each.good()).not.toContain(each.id)
    expect((await each.stood?.()) ?? '').not.toContain(each.id)
  })
})
