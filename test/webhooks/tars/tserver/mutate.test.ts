import { describe, expect, it } from 'vitest'
import type { Profile } from '../../../../src/admission/change.ts'
import { answered, labelsIn, MUTATING, patchIn } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aPort, aRelease, aServant, aTServer } from '../../../support/builders/servers.ts'
import { GOING } from '../../../support/builders/templates.ts'
import type { Sent } from '../../../support/reviews.ts'
import {
  aDraft,
  aNormalDraft,
  creationOf,
  deletionOf,
  k8sMade,
  LABELS,
  made,
  mutated,
  partOf,
  updateOf,
} from './mutated.ts'

const NORMAL = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo', 'tars.io/SubType': 'normal' }

describe('TS-M1, TS-M2, TS-M3, TS-M4 a server carries what it is as labels', () => {
  it.each([
    { name: 'labels are absent', metadata: {} },
    { name: 'labels are null, which is absent (W-4)', metadata: { labels: null } },
    { name: 'labels are wrong', metadata: { labels: { ...LABELS, 'tars.io/ServerApp': 'x', 'tars.io/SubType': 'x' } } },
    { name: 'labels were removed by hand', metadata: { labels: { 'tars.io/ServerName': 'Echo' } } },
    { name: 'labels are right', metadata: { labels: LABELS } },
  ])('$name', async ({ metadata }) => {
    expect(labelsIn(await made(aDraft({}, metadata)))).toEqual(LABELS)
  })

  it('TS-M1 the map comes as one object (W-6)', async () => {
    const patch = patchIn(await mutated(creationOf(aDraft({ k8s: { replicas: 0, readinessGate: 'tars.io/active' } }))))
    expect(patch).toEqual([{ op: 'add', path: '/metadata/labels', value: LABELS }])
  })

  it.each([
    { id: 'TS-M1', key: 'tars.io~1ServerApp', spec: { app: 'Other' }, value: 'Other' },
    { id: 'TS-M2', key: 'tars.io~1ServerName', spec: { server: 'Other' }, value: 'Other' },
    { id: 'TS-M4', key: 'tars.io~1Template', spec: { tars: { template: 'other', servants: [] } }, value: 'other' },
  ])('$id a wrong one is overwritten alone', async ({ key, spec, value }) => {
    const k8s = { replicas: 0, readinessGate: 'tars.io/active' }
    const patch = patchIn(await mutated(creationOf(aDraft({ k8s, ...spec }, { labels: LABELS }))))
    expect(patch).toEqual([{ op: 'add', path: `/metadata/labels/${key}`, value }])
  })

  it('TS-M4 a server that is none of tars loses the label of a template', async () => {
    expect(labelsIn(await made(aNormalDraft({}, { labels: { 'tars.io/Template': 'base', team: 'a' } })))).toEqual({
      ...NORMAL,
      team: 'a',
    })
  })

  it.each([
    { name: 'there is none', labels: {} },
    { name: 'one was set by hand', labels: { ...LABELS, 'tars.io/Template': 'evil' } },
  ])('TS-M4 a template that fits into no label is left out, TS-V24 speaks of it: $name', async ({ labels }) => {
    const long = aDraft({ tars: { template: 't'.repeat(64), servants: [] } }, { labels })
    const { 'tars.io/Template': _, ...others } = LABELS
    expect(labelsIn(await made(long))).toEqual(others)
    expect(labelsIn((await mutated(updateOf(long, long))).object)).toEqual(others)
  })

  it('TS-M4 where subType and blocks do not agree, the block that is there decides', async () => {
    expect(labelsIn(await made(aNormalDraft({ subType: 'tars' })))).not.toHaveProperty('tars.io/Template')
    expect(labelsIn(await made(aDraft({ subType: 'normal' })))).toHaveProperty('tars.io/Template')
  })
})

describe('TS-M5 a tars server is ready when its node agent says so', () => {
  it.each([undefined, '', 'example.io/mine', 'tars.io/active'])('a gate of %s', async (readinessGate) => {
    const k8s = readinessGate === undefined ? {} : { readinessGate }
    expect(await k8sMade(aDraft({ k8s }))).toMatchObject({ readinessGate: 'tars.io/active' })
  })

  it('any other server keeps its own', async () => {
    expect(await k8sMade(aNormalDraft({ k8s: { readinessGate: 'a.io/b' } }))).toMatchObject({ readinessGate: 'a.io/b' })
    expect(await k8sMade(aNormalDraft())).not.toHaveProperty('readinessGate')
  })
})

describe('TS-M7 what would collide on one node is not stacked', () => {
  it.each([
    { name: 'hostPorts', k8s: { hostPorts: [{ nameRef: 'EchoObj', port: 9990 }] }, notStacked: true },
    { name: 'hostIPC', k8s: { hostIPC: true, notStacked: false }, notStacked: true },
    { name: 'an empty list of hostPorts', k8s: { hostPorts: [], notStacked: false }, notStacked: false },
    { name: 'hostNetwork alone', k8s: { hostNetwork: true, notStacked: false }, notStacked: false },
    { name: 'nothing of it', k8s: { notStacked: true }, notStacked: true },
  ])('$name', async ({ k8s, notStacked }) => {
    expect(await k8sMade(aDraft({ k8s }))).toMatchObject({ notStacked })
  })
})

describe('TS-M14 any other server has a list of ports', () => {
  it.each([
    { name: 'an empty one where there is none', normal: {}, ports: [] },
    { name: 'its own where there is one', normal: { ports: [aPort()] }, ports: [aPort()] },
  ])('$name', async ({ normal, ports }) => {
    expect(partOf(await made(aNormalDraft({ normal })), 'spec', 'normal', 'ports')).toEqual(ports)
  })

  it('a tars server gets none', async () => {
    expect(partOf(await made(aDraft()), 'spec', 'normal')).toBeUndefined()
  })
})

describe('TS-M1…14 and what may arrive', () => {
  it('a server that is complete goes on unchanged', async () => {
    for (const server of [aTServer(), aTServer({ release: aRelease() }), aTServer({ normal: [aPort()] })]) {
      expect(patchIn(await mutated(creationOf(server)))).toBeUndefined()
      expect(patchIn(await mutated(updateOf(server, server)))).toBeUndefined()
    }
  })

  it.each([
    ['an object of nothing', {}],
    ['a spec of another type (W-4)', { metadata: { name: 'a' }, spec: 'x' }],
    ['tars of null', aDraft({ tars: null })],
    ['servants that are no list', aDraft({ tars: { template: 'a', servants: {} } })],
    ['a servant that is a text', aDraft({ tars: { template: 'a', servants: ['x'] } })],
    ['replicas in words', aDraft({ k8s: { replicas: 'three' } })],
    ['a release that is a text', aDraft({ release: 'r1' })],
  ])('%s goes on unchanged, for the schema to refuse', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response).toMatchObject({ allowed: true })
    expect(answer.object).toEqual(object)
  })

  it.each([
    ['no spec.k8s', { app: 'Demo', server: 'Echo', subType: 'tars', tars: {} }],
    ['no blocks at all', { subType: 'tars', release: aRelease() }],
    ['a servant too many', { ...(aDraft().spec as object), tars: { servants: Array(65).fill(aServant()) } }],
  ])('%s is no trouble', async (_, spec) => {
    await made({ metadata: { name: 'a' }, spec })
  })

  describe('a status of another type, which the API server drops before its schema could refuse it (W-4)', () => {
    const status = { replicas: 'x', selector: {} }

    it('does not keep a new server from being completed', async () => {
      const wanted = { ...aDraft({ k8s: { replicas: 5 } }), status }
      expect(await made(wanted)).toEqual({ ...(await made(aDraft({ k8s: { replicas: 5 } }))), status })
      expect(labelsIn(await made(wanted))).toEqual(LABELS)
    })
    it('nor an update, whichever of the two has it', async () => {
      const bounds = { annotations: { 'tars.io/MaxReplicas': '4' } }
      const old = aTServer({ release: aRelease(), k8s: { replicas: 4 }, ...bounds })
      const wanted = aTServer({ release: aRelease(), k8s: { replicas: 50 }, ...bounds })
      for (const body of [updateOf(old, { ...wanted, status }), updateOf({ ...old, status }, wanted)])
        expect((await mutated(body)).object).toMatchObject({ spec: { k8s: { replicas: 4 } } })
    })
  })

  it('a server being deleted that loses its finalizers goes on unchanged (W-7)', async () => {
    const bare = { going: true, labels: {}, k8s: { replicas: 9 } } as const
    const body = updateOf(aTServer({ ...bare, finalizers: ['x'] }), aTServer(bare))
    expect(patchIn(await mutated(body))).toBeUndefined()
    expect(labelsIn((await mutated(updateOf(aTServer({ going: true }), aTServer(bare)))).object)).toEqual(LABELS)
  })

  it('an author who writes a deletionTimestamp does not stop the mutations (W-7)', async () => {
    const body = updateOf(aTServer(), aDraft({}, GOING))
    expect(labelsIn((await mutated(body)).object)).toEqual(LABELS)
  })

  it('a delete has no patch', async () => {
    expect(patchIn(await mutated(deletionOf(aTServer({ labels: {} }))))).toBeUndefined()
  })

  it('a dry run makes the same (W-9)', async () => {
    const { nodeImage: _, time: __, ...release } = aRelease()
    const object = aDraft({ release, k8s: { hostIPC: true } }, { annotations: { 'tars.io/MinReplicas': '2' } })
    const answer = (sent: Sent) => mutated(creationOf(object, sent), aTFrameworkConfig())
    expect(patchIn(await answer({ dryRun: true }))).toEqual(patchIn(await answer({})))
  })

  it.each(['seed', 'upstream'] satisfies Profile[])('the profile %s makes the same', async (profile) => {
    const { object } = await answered(MUTATING, creationOf(aDraft()), { profile })
    expect(object).toEqual(await made(aDraft()))
  })

  it('other keys stand in any order', async () => {
    const turned = Object.fromEntries(Object.entries(aDraft()).reverse())
    expect(await made(turned)).toEqual(await made(aDraft()))
  })
})
