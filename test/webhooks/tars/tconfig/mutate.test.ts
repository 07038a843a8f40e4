import { describe, expect, it } from 'vitest'
import { answerer } from '../../../../src/admission/answer.ts'
import { reviewOf } from '../../../../src/admission/review.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import {
  answered,
  answererPartsOf,
  arrivalAt,
  CTRL,
  DEPUTIES,
  labelsIn,
  MUTATING,
  NAMESPACE_CONTROLLER,
  patchIn,
  WEBHOOK,
} from '../../../support/answerer-parts.ts'
import { aDraftOfTConfig, aTConfig, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { reviewsOf, type Sent, withRequest } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
const mutated = (body: unknown) => answered(MUTATING, body)
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
const made = async (object: object, sent?: Sent) => treeOf((await mutated(creationOf(object, sent))).object)
const changed = async (old: object, object: object, sent?: Sent) =>
  treeOf((await mutated(updateOf(old, object, sent))).object)
const annotationsIn = (object: unknown) => treeOf(treeOf(treeOf(object).metadata).annotations)
const withMeta = (object: Tree, more: object) => ({ ...object, metadata: { ...treeOf(object.metadata), ...more } })
const NOW = '2026-11-18T12:00:00.000Z'

describe.each([
  { rule: 'TC-M1', label: 'tars.io/ServerApp', field: 'app', value: 'Demo', other: 'Shop' },
  { rule: 'TC-M2', label: 'tars.io/ServerName', field: 'server', value: 'Echo', other: 'Cart' },
  { rule: 'TC-M4', label: 'tars.io/ConfigName', field: 'configName', value: 'echo.conf', other: 'cart.conf' },
  { rule: 'TC-M6', label: 'tars.io/PodSeq', field: 'podSeq', value: '3', other: '4' },
  { rule: 'TC-M8', label: 'tars.io/Version', field: 'version', value: '20260101000000-a', other: '20260101000000-b' },
])('$rule label $label mirrors $field', ({ label, field, value, other }) => {
  const stored = aTConfig({ [field]: value })
  const labelOf = (object: unknown) => treeOf(labelsIn(object))[label]

  it.each([
    { name: 'labels are absent', labels: undefined },
    { name: 'labels are null, which is absent (W-4)', labels: null },
    { name: 'the label is absent', labels: { team: 'a' } },
    { name: 'the label is wrong', labels: { [label]: 'x' } },
  ])('$name', async ({ labels }) => {
    const object = await changed(stored, withMeta(stored, { labels }))
    expect(treeOf(labelsIn(object))).toMatchObject({ ...labels, [label]: value })
  })

  it('a right one needs no patch', async () => {
    expect(patchIn(await mutated(updateOf(stored, stored)))).toBeUndefined()
  })

  it('what the field becomes, the label becomes', async () => {
    expect(labelOf(await changed(stored, { ...stored, [field]: other }))).toBe(other)
  })
})

describe('TC-M1, TC-M2, TC-M4, TC-M6 on CREATE', () => {
  it('labels come as one map where there is none (W-6)', async () => {
    expect(patchIn(await mutated(creationOf(aDraftOfTConfig())))).toContainEqual({
      op: 'add',
      path: '/metadata/labels',
      value: {
        'tars.io/ServerApp': 'Demo',
        'tars.io/ServerName': 'Echo',
        'tars.io/Activated': 'true',
        'tars.io/ConfigName': 'echo.conf',
        'tars.io/PodSeq': 'm',
        'tars.io/Version': '20261118120000-6962ccb5',
      },
    })
  })

  it.each([
    { name: 'empty', more: { server: '' } },
    { name: 'absent', more: { server: undefined } },
  ])('TC-M2 a server that is $name gives a label without a value, but a label', async ({ more }) => {
    expect(labelsIn(await made({ ...aDraftOfTConfig(), ...more }))).toMatchObject({ 'tars.io/ServerName': '' })
  })

  it('TC-M1, TC-M4 what fits into no label gives none: the schema refuses it (AP-16)', async () => {
    const labels = labelsIn(await made({ ...aDraftOfTConfig(), app: 'a b', configName: 'c/d' }))
    expect(labels).not.toHaveProperty(['tars.io/ServerApp'])
    expect(labels).not.toHaveProperty(['tars.io/ConfigName'])
  })
})

describe('TC-M3 a version says whether it is activated', () => {
  it.each([
    { name: 'true', activated: true, label: 'true' },
    { name: 'false', activated: false, label: 'false' },
    { name: 'nothing, which is true by default', activated: undefined, label: 'true' },
  ])('$name', async ({ activated, label }) => {
    const object = await made({ ...aDraftOfTConfig(), activated })
    expect(labelsIn(object)).toMatchObject({ 'tars.io/Activated': label })
  })

  it('a label changed by hand changes back', async () => {
    const stored = aTConfig({ activated: false })
    const object = await changed(stored, aTConfig({ activated: false, labels: { 'tars.io/Activated': 'true' } }))
    expect(labelsIn(object)).toMatchObject({ 'tars.io/Activated': 'false' })
  })
})

describe('TC-M5 a configuration is for all pods unless it says for which', () => {
  it.each([
    { name: 'absent', podSeq: undefined, becomes: 'm' },
    { name: 'empty', podSeq: '', becomes: 'm' },
    { name: 'm', podSeq: 'm', becomes: 'm' },
    { name: 'an ordinal', podSeq: '3', becomes: '3' },
  ])('$name', async ({ podSeq, becomes }) => {
    for (const object of [
      await made({ ...aDraftOfTConfig(), podSeq }),
      await changed(aTConfig(), { ...aTConfig(), podSeq }),
    ]) {
      expect(object.podSeq).toBe(becomes)
      expect(labelsIn(object)).toMatchObject({ 'tars.io/PodSeq': becomes })
    }
  })
})

describe('TC-M7 a version is the time of its creation and a checksum of its name', () => {
  const versionAt = async (time: string, object: object) => {
    const review = reviewOf(creationOf(object))
    await answerer(answererPartsOf())(review, { ...arrivalAt(MUTATING), at: new Date(time) })
    return treeOf(review.object).version
  }

  it.each([
    { name: 'demo-cfg-21', time: '2024-03-05T21:07:09Z', version: '20240305210709-411a681' },
    { name: 'demo-echo-2', time: '2024-03-05T09:07:09Z', version: '20240305090709-6586dc30' },
    { name: 'demo-echo-2', time: '2024-03-05T21:07:09.999Z', version: '20240305210709-6586dc30' },
    { name: 'demo-echo-2', time: '2024-03-05T23:07:09-03:00', version: '20240306020709-6586dc30' },
  ])('$name at $time gives $version', async ({ name, time, version }) => {
    expect(await versionAt(time, aDraftOfTConfig({ name }))).toBe(version)
  })

  it.each([
    { name: 'without a name', metadata: { generateName: 'demo-' } },
    { name: 'with an empty one', metadata: { generateName: 'demo-', name: '' } },
  ])('generateName, $name yet: the checksum is of the uid of the request', async ({ metadata }) => {
    const versions = ['u-1', 'u-2'].map(async (uid) => {
      const body = withRequest(creationOf({ ...aDraftOfTConfig(), metadata }), { uid })
      return treeOf((await mutated(body)).object).version
    })
    expect(await Promise.all(versions)).toEqual(['20261118120000-dc8f297c', '20261118120000-458678c6'])
  })

  it('what the author says is overwritten', async () => {
    expect((await made({ ...aDraftOfTConfig(), version: 'mine' })).version).toBe('20261118120000-6962ccb5')
  })

  it('an update makes no new one', async () => {
    expect((await changed(aTConfig(), aTConfig({ content: 'b=2' }))).version).toBe('20260101000000-1')
  })
})

describe('TC-M9 a version says when it was made', () => {
  it('to the second, in UTC', async () => {
    expect((await made(aDraftOfTConfig())).updateTime).toBe('2026-11-18T12:00:00Z')
  })
  it('whatever the author says', async () => {
    const object = await made({ ...aDraftOfTConfig(), updateTime: '2020-01-01T00:00:00Z' })
    expect(object.updateTime).toBe('2026-11-18T12:00:00Z')
  })
  it('and an update changes nothing of it', async () => {
    expect((await changed(aTConfig(), aTConfig({ content: 'b=2' }))).updateTime).toBe('2026-01-01T00:00:00Z')
  })
})

describe('TC-M10 marks and what they are noted with are not for hands', () => {
  const NOTED = {
    'tars.io/ActivatedAt': '2026-01-01T00:00:00.000Z',
    'tars.io/MarkedAt': '2026-01-02T00:00:00.000Z',
    'tars.io/MarkedBy': 'v2',
    'tars.io/MarkedByUid': 'uid-of-v2',
  }
  const marked = aTConfig({ labels: { ...DEACTIVATING, ...DELETING }, annotations: NOTED })
  const bare = withMeta(aTConfig(), { labels: { team: 'a' }, annotations: {} })

  it('kubectl replace does not lose them', async () => {
    const object = await changed(marked, bare)
    expect(labelsIn(object)).toMatchObject({ team: 'a', ...DEACTIVATING, ...DELETING })
    expect(annotationsIn(object)).toEqual(NOTED)
  })

  it.each(['tars.io/Deactivate', 'tars.io/Deactivating', 'tars.io/Deleting'])('%s comes back alone', async (label) => {
    const old = aTConfig({ labels: { [label]: 'kept' } })
    expect(labelsIn(await changed(old, aTConfig()))).toMatchObject({ [label]: 'kept' })
  })

  it('a mark with another value is the same mark', async () => {
    const object = aTConfig({ labels: { 'tars.io/Deleting': 'Deleting' } })
    expect(patchIn(await mutated(updateOf(aTConfig({ labels: DELETING }), object)))).toBeUndefined()
  })

  it('a mark that is added by hand stays', async () => {
    expect(labelsIn(await changed(aTConfig(), aTConfig({ labels: DEACTIVATING })))).toMatchObject(DEACTIVATING)
  })

  it.each(Object.keys(NOTED))('%s that is written by hand is taken away', async (key) => {
    const annotations = { [key]: 'mine', other: 'kept' }
    expect(annotationsIn(await changed(aTConfig(), aTConfig({ annotations })))).toEqual({ other: 'kept' })
    const draft = withMeta(aDraftOfTConfig(), { annotations })
    expect(annotationsIn(await made({ ...draft, activated: false }))).toEqual({ other: 'kept' })
  })

  it.each(Object.entries(NOTED))('%s that is changed by hand changes back', async (key, value) => {
    const object = await changed(marked, aTConfig({ annotations: { ...NOTED, [key]: 'mine' } }))
    expect(annotationsIn(object)).toMatchObject({ [key]: value })
  })

  it.each([CTRL, WEBHOOK])('%s may do all of it', async (user) => {
    const object = await changed(marked, bare, { user })
    expect(annotationsIn(object)).toEqual({})
    expect(labelsIn(object)).not.toHaveProperty(['tars.io/Deleting'])
    const written = await changed(aTConfig(), aTConfig({ labels: DEACTIVATING, annotations: NOTED }), { user })
    expect(annotationsIn(written)).toEqual(NOTED)
  })

  it.each([NAMESPACE_CONTROLLER, ...DEPUTIES])('%s is bound like everybody', async (user) => {
    const object = await changed(marked, bare, { user })
    expect(labelsIn(object)).toMatchObject({ ...DEACTIVATING, ...DELETING })
    expect(annotationsIn(object)).toEqual(NOTED)
  })

  it('mutating twice is mutating once', async () => {
    const object = await changed(marked, bare)
    expect(patchIn(await mutated(updateOf(marked, object)))).toBeUndefined()
  })

  it('of an old object of another shape nothing is known, so nothing is taken away', async () => {
    const old = { ...aTConfig(), app: 7 }
    expect(annotationsIn(await changed(old, aTConfig({ annotations: NOTED })))).toEqual(NOTED)
  })
})

describe('TC-M11 an activation is noted: when, and by whom (UX-8)', () => {
  const BY_BOB = { 'tars.io/ActivatedAt': '2026-01-01T00:00:00.000Z', 'tars.io/ActivatedBy': 'bob' }
  const BY_ANN = { 'tars.io/ActivatedAt': NOW, 'tars.io/ActivatedBy': 'ann' }
  const off = aTConfig({ activated: false, annotations: BY_BOB })

  it.each([
    { name: 'a new version in force', object: () => made(aDraftOfTConfig()), noted: BY_ANN },
    {
      name: 'a new version in force, whatever its author writes',
      object: () => made(withMeta(aDraftOfTConfig(), { annotations: BY_BOB })),
      noted: BY_ANN,
    },
    { name: 'a new one out of force', object: () => made({ ...aDraftOfTConfig(), activated: false }), noted: {} },
    {
      name: 'a new one out of force, whatever its author writes',
      object: () => made({ ...withMeta(aDraftOfTConfig(), { annotations: BY_BOB }), activated: false }),
      noted: {},
    },
    { name: 'a return to an old one', object: () => changed(off, aTConfig({ annotations: BY_BOB })), noted: BY_ANN },
    {
      name: 'another edit',
      object: () => changed(aTConfig({ annotations: BY_BOB }), aTConfig({ annotations: { ...BY_ANN } })),
      noted: BY_BOB,
    },
    {
      name: 'another edit of one that was never noted',
      object: () => changed(aTConfig(), aTConfig({ annotations: BY_ANN })),
      noted: {},
    },
    {
      name: 'a deactivation by the controller',
      object: () => changed(aTConfig({ annotations: BY_BOB }), off, { user: CTRL }),
      noted: BY_BOB,
    },
    {
      name: 'an activation by the controller',
      object: () => changed(off, aTConfig({ annotations: BY_BOB }), { user: CTRL }),
      noted: { 'tars.io/ActivatedAt': NOW, 'tars.io/ActivatedBy': CTRL },
    },
    {
      name: 'a hand that writes who activated, even the controller’s',
      object: () => changed(off, aTConfig({ activated: false, annotations: {} }), { user: CTRL }),
      noted: { 'tars.io/ActivatedBy': 'bob' },
    },
  ])('$name', async ({ object, noted }) => {
    expect(annotationsIn(await object())).toEqual(noted)
  })

  it('the audit log says who, when it happens', async () => {
    const activation = await mutated(updateOf(off, aTConfig({ annotations: BY_BOB })))
    expect(activation.response.auditAnnotations).toEqual({ 'activated-by': 'ann' })
    const edit = await mutated(updateOf(aTConfig(), aTConfig({ content: 'b=2' })))
    expect(edit.response).not.toHaveProperty('auditAnnotations')
  })

  it('of an old object of another shape nothing is known, so nothing is noted', async () => {
    const old = { ...off, app: 7 }
    expect(annotationsIn(await changed(old, aTConfig({ annotations: BY_BOB })))).toEqual(BY_BOB)
  })
})

describe('TC-M1…11 and what may arrive', () => {
  it('of an object of nothing what can be said is said, and the schema refuses the rest (W-4)', async () => {
    const answer = await mutated(creationOf({}))
    expect(answer.response.allowed).toBe(true)
    expect(answer.object).toEqual({
      podSeq: 'm',
      version: expect.stringMatching(/^20261118120000-/),
      updateTime: '2026-11-18T12:00:00Z',
    })
  })

  it.each([
    ['an app of another type', { ...aDraftOfTConfig(), app: 7 }],
    ['labels that are a list', withMeta(aDraftOfTConfig(), { labels: [] })],
    ['activated of null', { ...aDraftOfTConfig(), activated: null }],
    ['a content of null', { ...aDraftOfTConfig(), configContent: null }],
  ])('%s goes on unchanged, for the schema to refuse (W-4)', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response.allowed).toBe(true)
    expect(answer.object).toEqual(object)
  })

  it('one that is being deleted is mutated like any other (W-7)', async () => {
    const old = aTConfig({ going: true, annotations: { 'tars.io/ActivatedBy': 'ann' } })
    const forged = { 'tars.io/ServerApp': 'Shop', 'tars.io/PodSeq': '3' }
    const next = aTConfig({ going: true, labels: forged, annotations: { 'tars.io/ActivatedBy': 'eve' } })
    expect((await mutated(updateOf(old, next))).object).toMatchObject(old)
    expect(patchIn(await mutated(updateOf(old, old)))).toBeUndefined()
  })

  it('a delete has no patch', async () => {
    expect(patchIn(await mutated(deletionOf(aTConfig())))).toBeUndefined()
  })

  it('a dry run gives the same (W-9)', async () => {
    expect(await made(aDraftOfTConfig(), { dryRun: true })).toEqual(await made(aDraftOfTConfig()))
  })

  it('mutating what was mutated changes nothing at the same moment, and afterwards nothing but an activation (W-8)', async () => {
    const object = await made(aDraftOfTConfig())
    expect(patchIn(await mutated(creationOf(object)))).toBeUndefined()
    expect(patchIn(await mutated(updateOf(object, object)))).toBeUndefined()
  })
})
