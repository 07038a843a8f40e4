import { describe, expect, it } from 'vitest'
import { CTRL, DEPUTIES, labelsIn, NAMESPACE_CONTROLLER, patchIn, WEBHOOK } from '../../../support/answerer-parts.ts'
import { aDraftOfTConfig, aTConfig, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { changed, made, mutated, treeOf, updateOf, withMeta } from './mutated.ts'

const annotationsIn = (object: unknown) => treeOf(treeOf(treeOf(object).metadata).annotations)
const NOW = '2026-11-18T12:00:00.000Z'

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
