import { describe, expect, it } from 'vitest'
import type { Gvr } from '../../../../../src/cluster/port.ts'
import { TENDPOINT } from '../../../../../webhooks/tars/tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../../../../webhooks/tars/texitedrecord/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../../../../webhooks/tars/workloads.ts'
import { aServant } from '../../../../support/builders/servers.ts'
import { mapped } from '../../../../support/mapped.ts'
import {
  inShort,
  ownedBy,
  planned,
  seen,
  standing,
  storedServer,
  TERMINATING,
  writesOf,
} from '../../../../support/servers-seen.ts'

const MIRRORS = [standing(TENDPOINT), standing(TEXITEDRECORD)]
const ALL = [...MIRRORS, standing(SERVICE), standing(STATEFULSET)]
const AS_DAEMONSET = { k8s: { daemonSet: true } }
const DAEMON = standing(DAEMONSET, { wishes: AS_DAEMONSET })
const without = (of: Gvr) => ALL.filter((each) => each.of !== of)

describe('a new server', () => {
  const object = mapped(storedServer())
  const apply = { do: 'apply', because: 'TS-R4' }

  it('TS-R2, TS-R3, TS-R4, WK-10 has its objects made in their order', () => {
    expect(planned(seen())).toEqual({
      actions: [
        { ...apply, of: TENDPOINT, object: object.TEndpoint, because: 'TS-R2' },
        { do: 'create', of: TEXITEDRECORD, object: object.TExitedRecord, because: 'TX-R1' },
        { ...apply, of: SERVICE, object: object.Service },
        { ...apply, of: STATEFULSET, object: object.StatefulSet, follows: true },
      ],
      notices: [],
    })
  })
  it('WK-6 has the same plan again', () => {
    expect(JSON.stringify(planned(seen()))).toBe(JSON.stringify(planned(seen())))
  })
  it('TS-R4 has a DaemonSet and no Service where it says so', () => {
    expect(inShort(planned(seen(AS_DAEMONSET)))).toEqual(['apply TEndpoint', 'create TExitedRecord', 'apply DaemonSet'])
  })
})

describe('TS-R5, MP-30 what stands', () => {
  it('is applied over, and the record is left', () => {
    const actions = planned(seen({}, { there: ALL })).actions
    expect(actions.map((each) => ('over' in each ? [each.of, each.over] : each))).toEqual(
      [TENDPOINT, SERVICE, STATEFULSET].map((of) => [of, standing(of).object]),
    )
  })
  it('TS-R6 keeps the version by which an earlier controller names its owner', () => {
    const newer = ownedBy({ uid: 'server', apiVersion: 'k8s.tars.io/v1beta3', blockOwnerDeletion: true })
    const there = ALL.map(({ of }) => standing(of, { metadata: newer }))
    const { actions } = planned(seen({}, { there }))
    expect(inShort({ actions })).toEqual(['apply TEndpoint', 'apply Service', 'apply StatefulSet'])
    for (const action of actions) expect(action).toMatchObject({ object: { metadata: newer } })
  })
  it.each([{ deletes: TENDPOINT }, { deletes: SERVICE }])(
    '$deletes.kind comes back when it is deleted',
    ({ deletes }) => {
      const actions = writesOf(planned(seen({}, { there: without(deletes) })))
      expect(actions.filter((each) => each.of === deletes)).toMatchObject([{ do: 'apply' }])
      expect(actions.find((each) => each.of === deletes)).not.toHaveProperty('over')
    },
  )
})

describe('TX-R1 the record', () => {
  const repaired = (metadata: object, fields = {}) => {
    const { of, object } = standing(TEXITEDRECORD, { metadata: { ...metadata } })
    const there = [...without(TEXITEDRECORD), { of, object: { ...object, ...fields } }]
    return writesOf(planned(seen({}, { there }))).filter(({ of }) => of === TEXITEDRECORD)
  }
  const { labels, ownerReferences: owners } = standing(TEXITEDRECORD).object.metadata
  const ownerReferences = owners ?? []
  const merge = {
    do: 'merge',
    of: TEXITEDRECORD,
    ref: { namespace: 'demo', name: 'demo-echo' },
    expects: { uid: 'uid of TExitedRecord', resourceVersion: '3' },
    because: 'TX-R1',
  }
  it('gets its labels back by a merge', () => {
    expect(repaired({ labels: { ...labels, 'tars.io/ServerApp': 'Other' } })).toEqual([
      { ...merge, patch: { metadata: { labels } } },
    ])
    expect(repaired({ labels: null })).toEqual([{ ...merge, patch: { metadata: { labels } } }])
  })
  it('gets its owner back as it was, and keeps other owners', () => {
    const other = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' }
    const changed = ownerReferences.map((owner) => ({ ...owner, blockOwnerDeletion: false }))
    expect(repaired({ ownerReferences: [other, ...changed] })).toEqual([
      { ...merge, patch: { metadata: { ownerReferences: [other, ...ownerReferences] } } },
    ])
  })
  it('gets its app and server back, and keeps its pods', () => {
    const pods = [{ uid: 'p' }]
    expect(repaired({}, { app: 'Nope', pods })).toEqual([{ ...merge, patch: { app: 'Demo' } }])
    expect(repaired({}, { server: 'Nope', pods })).toEqual([{ ...merge, patch: { server: 'Echo' } }])
    expect(repaired({}, { pods })).toEqual([])
  })
  it('keeps labels of others', () => expect(repaired({ labels: { ...labels, mine: 'x' } })).toEqual([]))
})

describe('TS-R6 an object of another owner', () => {
  it.each([
    { of: TENDPOINT, goesOn: ['apply Service', 'apply StatefulSet'] },
    { of: TEXITEDRECORD, goesOn: ['apply TEndpoint', 'apply Service', 'apply StatefulSet'] },
    { of: SERVICE, goesOn: ['apply TEndpoint', 'apply StatefulSet'] },
    { of: STATEFULSET, goesOn: ['apply TEndpoint', 'apply Service'] },
  ])('$of.kind is left as it is, with an event, and the others go on', ({ of, goesOn }) => {
    for (const metadata of [
      { ownerReferences: [] },
      ownedBy({ kind: 'TDeploy' }),
      ownedBy({ name: 'other' }),
      ownedBy({ apiVersion: 'v1' }),
    ]) {
      const turn = planned(seen({}, { there: [...without(of), standing(of, { metadata })] }))
      expect(inShort(turn)).toEqual(goesOn)
      const message = `${of.kind} demo-echo is not controlled by this TServer, so it is left as it is (TS-R6)`
      expect(turn.notices).toEqual([{ type: 'Warning', reason: 'OutControl', message }])
      expect(turn.againInMs).toBe(60_000)
    }
  })
  it('of a former TServer of the name: no event, and it looks again after a second', () => {
    const there = ALL.map(({ of }) => standing(of, { metadata: ownedBy({ apiVersion: 'k8s.tars.io/v1beta3' }) }))
    expect(planned(seen({}, { there }))).toEqual({ actions: [], notices: [], againInMs: 1_000 })
  })
  it('§10 without a Service of the server there is no StatefulSet', () => {
    const foreign = standing(SERVICE, { metadata: { ownerReferences: [] } })
    expect(inShort(planned(seen({}, { there: [...MIRRORS, foreign] })))).toEqual(['apply TEndpoint'])
    const former = standing(SERVICE, { metadata: ownedBy({}) })
    expect(inShort(planned(seen({}, { there: [...MIRRORS, former] })))).toEqual(['apply TEndpoint'])
  })
  it('MP-34 a foreign StatefulSet holds up the DaemonSet, since they would share their pods', () => {
    const foreign = standing(STATEFULSET, { metadata: { ownerReferences: [] } })
    const turn = planned(seen(AS_DAEMONSET, { there: [...MIRRORS, foreign] }))
    expect(inShort(turn)).toEqual(['apply TEndpoint'])
    expect(turn.notices).toMatchObject([{ reason: 'OutControl' }])
  })
  it('a foreign Service is none of a DaemonSet', () => {
    const foreign = standing(SERVICE, { metadata: { ownerReferences: [] } })
    const turn = planned(seen(AS_DAEMONSET, { there: [...MIRRORS, foreign, DAEMON] }))
    expect(inShort(turn)).toEqual(['apply TEndpoint', 'apply DaemonSet'])
    expect(turn.notices).toEqual([])
  })
})

describe('MP-34 the kind of workload changes', () => {
  const removal = (of: Gvr) => ({
    do: 'remove',
    of,
    ref: { namespace: 'demo', name: 'demo-echo' },
    expects: { uid: `uid of ${of.kind}` },
    because,
    follows: true,
  })
  const because = 'TS-R4, MP-34: spec.k8s.daemonSet has changed'
  it('to a DaemonSet: Service and StatefulSet go first, if it is accepted', () => {
    const turn = planned(seen(AS_DAEMONSET, { there: ALL }))
    expect(turn.actions[0]).toMatchObject({ do: 'dry-run create', wanted: { of: DAEMONSET }, because })
    expect(turn.actions.filter((each) => each.do === 'remove')).toEqual([removal(SERVICE), removal(STATEFULSET)])
    expect(inShort(turn)).not.toContain('apply DaemonSet')
    expect(turn.againInMs).toBe(3_000)
  })
  it('to a StatefulSet: the DaemonSet goes first', () => {
    const turn = planned(seen({}, { there: [...MIRRORS, DAEMON] }))
    expect(turn.actions[1]).toEqual(removal(DAEMONSET))
    expect(inShort(turn)).toEqual(['dry-run create', 'remove DaemonSet', 'apply TEndpoint', 'apply Service'])
    expect(turn.againInMs).toBe(1_000)
  })
  it('a workload that is terminating is not removed again, and the new one waits', () => {
    const going = standing(STATEFULSET, { metadata: TERMINATING })
    const turn = planned(seen(AS_DAEMONSET, { there: [...MIRRORS, going] }))
    expect(inShort(turn)).toEqual(['apply TEndpoint'])
    expect(turn.againInMs).toBe(3_000)
  })
  it('a Service that is still there does not hold up the DaemonSet', () => {
    const going = standing(SERVICE, { metadata: TERMINATING })
    expect(inShort(planned(seen(AS_DAEMONSET, { there: [...MIRRORS, going] })))).toContain('apply DaemonSet')
  })
})

describe('MP-35, WK-3 an object that is terminating', () => {
  it.each([
    { of: STATEFULSET, againInMs: 3_000 },
    { of: SERVICE, againInMs: 1_000 },
    { of: TENDPOINT, againInMs: 1_000 },
  ])('$of.kind is awaited', ({ of, againInMs }) => {
    const turn = planned(seen({}, { there: [...without(of), standing(of, { metadata: TERMINATING })] }))
    expect(writesOf(turn).filter((each) => each.of === of)).toEqual([])
    expect(turn.againInMs).toBe(againInMs)
  })
})

describe('MP-4 a Service that has an address', () => {
  const service = (spec: object, metadata = {}) => standing(SERVICE, { metadata, spec: { ...spec } })
  it('is removed, and no StatefulSet is made without it', () => {
    const turn = planned(seen({}, { there: [...MIRRORS, service({ clusterIP: '10.0.0.7' })] }))
    expect(turn.actions[1]).toEqual({
      do: 'remove',
      of: SERVICE,
      ref: { namespace: 'demo', name: 'demo-echo' },
      expects: { uid: 'uid of Service' },
      because: 'MP-4: its clusterIP cannot be changed',
    })
    expect(inShort(turn)).toEqual(['apply TEndpoint', 'remove Service'])
    expect(turn.againInMs).toBe(1_000)
  })
  it.each([{ clusterIP: 'None' }, { clusterIP: '' }, { clusterIP: undefined, type: 'ExternalName' }])(
    '%o is applied over',
    (spec) => {
      const turn = planned(seen({}, { there: [...MIRRORS, service(spec)] }))
      expect(inShort(turn)).toEqual(['apply TEndpoint', 'apply Service', 'apply StatefulSet'])
    },
  )
  it('is left where it is foreign', () => {
    const there = [...MIRRORS, service({ clusterIP: '10.0.0.7' }, { ownerReferences: [] })]
    expect(inShort(planned(seen({}, { there })))).not.toContain('remove Service')
  })
})

describe('a server that breaks a rule, stored while the webhook was away', () => {
  const twice = [aServant({ name: 'A' }), aServant({ name: 'a', port: 10_001 })]
  const hostPorts = ['EchoObj', 'http'].map((nameRef) => ({ nameRef, port: 80 }))
  it.each([
    { rule: 'TS-V6', wishes: { name: 'demo-other' }, actions: [] },
    { rule: 'TS-V7', wishes: { app: 'A'.repeat(58) }, actions: [] },
    { rule: 'TS-V8', wishes: { servants: twice }, actions: ['apply TEndpoint', 'create TExitedRecord'] },
    { rule: 'TS-V12', wishes: { normal: twice }, actions: ['apply TEndpoint', 'create TExitedRecord'] },
    {
      rule: 'TS-V17',
      wishes: { k8s: { hostPorts } },
      actions: ['apply TEndpoint', 'create TExitedRecord', 'apply Service'],
    },
  ])('$rule: what cannot be made of it is not, with an event', ({ rule, wishes, actions }) => {
    const turn = planned(seen(wishes))
    expect(inShort(turn)).toEqual(actions)
    expect(turn.notices).toMatchObject([
      { type: 'Warning', reason: 'RuleBroken', message: expect.stringContaining(`(${rule})`) },
    ])
  })
  it('its StatefulSet goes on where its Service stands', () => {
    const turn = planned(seen({ servants: twice }, { there: ALL }))
    expect(inShort(turn)).toEqual(['apply TEndpoint', 'apply StatefulSet'])
  })
  it('nothing is removed of what cannot be read', () => {
    const message = 'spec.k8s does not fit the schema, so all that was made of this TServer stays as it is'
    expect(planned({ misfit: 'spec.k8s' })).toEqual({
      actions: [],
      notices: [{ type: 'Warning', reason: 'Unreadable', message }],
    })
  })
})
