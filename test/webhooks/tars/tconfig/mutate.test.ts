import { describe, expect, it } from 'vitest'
import { answerer } from '../../../../src/admission/answer.ts'
import { reviewOf } from '../../../../src/admission/review.ts'
import { answererPartsOf, arrivalAt, labelsIn, MUTATING, patchIn } from '../../../support/answerer-parts.ts'
import { aDraftOfTConfig, aTConfig } from '../../../support/builders/configs.ts'
import { withRequest } from '../../../support/reviews.ts'
import { changed, creationOf, deletionOf, made, mutated, treeOf, updateOf, withMeta } from './mutated.ts'

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
