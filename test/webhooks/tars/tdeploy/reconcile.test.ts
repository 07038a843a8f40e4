import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Outcome } from '../../../../src/reconcile/action.ts'
import { conclude, plan, tdeployController } from '../../../../webhooks/tars/tdeploy/reconcile.ts'
import { TDEPLOY, type TDeploy } from '../../../../webhooks/tars/tdeploy/schema.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { CTRL } from '../../../support/answerer-parts.ts'
import { APPROVED, aTDeploy, REJECTED } from '../../../support/builders/deploys.ts'
import { aRelease, aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { admittingCluster, clusterOf, NOW } from '../../../support/clusters.ts'
import { turnsOf } from '../../../support/turns.ts'

const KEY = { namespace: 'demo', name: 'demo-echo-1' }
const TARGET = { namespace: 'demo', name: 'demo-echo' }
const at = new Date(NOW)
const OURS = { 'tars.io/TDeploy': 'd' }

function approved(apply = {}): TDeploy {
  const { metadata, ...rest } = aTDeploy({ approve: APPROVED, apply })
  const deploy = { ...rest, metadata: { ...metadata, uid: 'd', resourceVersion: '7' } }
  if (TDEPLOY.isOutline(deploy)) return deploy
  throw new Error('it is no TDeploy')
}
const [deploy] = [approved({ mark: 'please', person: 'dev' })]
const { app, server, subType, tars, k8s } = deploy.apply
const creation = {
  do: 'create',
  of: TSERVER,
  object: {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TServer',
    metadata: {
      ...TARGET,
      labels: { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo', 'tars.io/SubType': 'tars' },
      annotations: OURS,
    },
    spec: { app, server, subType, tars, k8s },
  },
  because: 'TD-R2',
}
const completion = {
  do: 'merge',
  of: TDEPLOY,
  ref: KEY,
  expects: { uid: 'd', resourceVersion: '7' },
  patch: { deployed: true },
  because: 'TD-R3',
}
const outControl = {
  type: 'Warning',
  reason: 'OutControl',
  message: 'TServer demo/demo-echo exists and is not what this request asks for (TD-R4)',
}
const WAITS = { actions: [], againInMs: 300_000 }

describe('an approved request plans', () => {
  it.each([
    {
      name: 'TD-R2 to create its server without mark, person and owner',
      target: undefined,
      planned: { actions: [creation] },
    },
    {
      name: 'TD-R3 to be deployed once its server is there, whatever has become of it',
      target: aTServer({ annotations: OURS, release: aRelease(), k8s: { replicas: 3 } }),
      planned: { actions: [completion] },
    },
    {
      name: 'TD-R4 to take a server of the same spec for its own, but for release, replicas and readiness gate',
      target: aTServer({ release: aRelease(), k8s: { replicas: 5, readinessGate: 'x' } }),
      planned: { actions: [completion] },
    },
    {
      name: 'TD-R4 to leave a server of another spec alone, with an event',
      target: aTServer({ servants: [] }),
      planned: { ...WAITS, notices: [outControl] },
    },
    {
      name: 'TD-R4 to leave that of another request alone',
      target: aTServer({ servants: [], annotations: { 'tars.io/TDeploy': 'other' } }),
      planned: { ...WAITS, notices: [outControl] },
    },
    { name: 'TD-R4 to wait for one that goes', target: aTServer({ going: true }), planned: WAITS },
    {
      name: 'TD-R4 to compare a server without a spec',
      target: { metadata: TARGET },
      planned: { ...WAITS, notices: [outControl] },
    },
  ])('$name', ({ target, planned }) => {
    expect(plan({ deploy, target: found(target) })).toEqual(planned)
  })

  const hostPorts = [{ nameRef: 'EchoObj', port: 30_600 }]
  it.each([
    { case: 'completed', apply: { k8s: { hostPorts } }, target: { k8s: { hostPorts, notStacked: true } } },
    { case: 'completed', apply: { k8s: { hostIPC: true } }, target: { k8s: { hostIPC: true, notStacked: true } } },
    { case: 'not completed', apply: { k8s: { hostPorts } }, target: { k8s: { hostPorts } } },
    { case: 'with its defaults', apply: {}, target: { k8s: { notStacked: false } } },
    { case: 'of its own will apart', apply: {}, target: { k8s: { notStacked: true } }, isOther: true },
    { case: 'with hostPorts of its own', apply: {}, target: { k8s: { hostPorts } }, isOther: true },
  ])('TD-R4 to compare a server without our annotation as admission completes it: $case, $target', (given) => {
    const { actions } = plan({ deploy: approved(given.apply), target: found(aTServer(given.target)) })
    expect(actions).toHaveLength(given.isOther ? 0 : 1)
  })

  const found = (object: Built | { metadata: { name: string } } | undefined) => {
    if (object === undefined || TSERVER.isDraft(object)) return object
    throw new Error('no cache holds that')
  }
})

describe('what follows from the creation', () => {
  const seen = { deploy, target: undefined }
  const failed = { type: 'Warning', reason: 'DeployFailed', message: 'exceeded quota' }

  it.each<{ name: string; outcome: Outcome; actions: unknown[]; notices?: unknown[] }>([
    { name: 'TD-R3 done, the request is deployed', outcome: 'done', actions: [completion] },
    { name: 'TD-R5 refused, an event has the words', outcome: 'refused', actions: [], notices: [failed] },
    { name: 'TD-R5 failed, it is tried again without one', outcome: 'failed', actions: [], notices: [] },
    { name: 'TD-R4 overtaken, it is seen again', outcome: 'overtaken', actions: [], notices: [] },
  ])('$name', ({ name: _, outcome, ...concluded }) => {
    const { actions } = plan(seen)
    const results = actions.map((action) => ({ action, outcome, message: 'exceeded quota' }))
    expect(conclude(seen, results)).toEqual(concluded)
  })
})

describe('a request on a cluster', () => {
  async function stored(wishes: object, ...others: readonly Built[]) {
    const cluster = clusterOf(aTTemplate(), ...others)
    cluster.seed([aTDeploy(wishes)])
    return cluster
  }

  it.each([
    { name: 'not decided', wishes: {} },
    { name: 'rejected', wishes: { approve: REJECTED } },
    { name: 'deployed', wishes: { approve: APPROVED, deployed: true } },
    { name: 'terminating', wishes: { approve: APPROVED, going: true } },
    { name: 'without a server, as no schema lets in', wishes: { approve: APPROVED, apply: { server: undefined } } },
  ])('TD-R1 $name makes nothing', async ({ wishes }) => {
    const cluster = await stored(wishes)
    expect(await turnsOf('tdeploy', cluster)(KEY, at)).toBeUndefined()
    expect(tdeployController.refersTo(aTDeploy(wishes))).toEqual([])
  })

  it('TD-R1 of none is nothing', async () => {
    expect(await turnsOf('tdeploy', clusterOf())(KEY, at)).toBeUndefined()
  })

  it('TD-R1, TD-R2, TD-R3 approved becomes a server without replicas, and is deployed; a second turn writes nothing', async () => {
    const cluster = admittingCluster(aTTemplate())
    await cluster.create(TDEPLOY, aTDeploy())
    await cluster.merge(TDEPLOY, KEY, { approve: APPROVED })
    const turn = turnsOf('tdeploy', cluster)

    expect(await turn(KEY, at)).toMatchObject({ actions: [{ because: 'TD-R2' }, { because: 'TD-R3' }], notices: [] })
    const uid = (await cluster.get(TDEPLOY, KEY))?.metadata.uid
    const made = await cluster.get(TSERVER, TARGET)
    expect(made).toMatchObject({
      metadata: { annotations: { 'tars.io/TDeploy': uid } },
      spec: { k8s: { replicas: 0 } },
    })
    expect(made?.metadata.ownerReferences).toBeUndefined()
    expect(await cluster.get(TDEPLOY, KEY)).toMatchObject({ deployed: true, approve: APPROVED })
    expect(await turn(KEY, at)).toBeUndefined()
  })

  it('TD-R3, D-2 a crash after the creation is repaired by the next turn', async () => {
    const cluster = admittingCluster(aTTemplate())
    await cluster.create(TDEPLOY, aTDeploy())
    await cluster.merge(TDEPLOY, KEY, { approve: APPROVED })
    const before = await cluster.get(TDEPLOY, KEY)
    const [creation] =
      before === undefined || !TDEPLOY.isOutline(before) ? [] : plan({ deploy: before, target: undefined }).actions
    if (creation?.do === 'create') await cluster.create(creation.of, creation.object, { user: CTRL })

    expect(await turnsOf('tdeploy', cluster)(KEY, at)).toMatchObject({ actions: [{ because: 'TD-R3' }] })
    expect(await cluster.get(TDEPLOY, KEY)).toMatchObject({ deployed: true })
  })

  it('TD-R5 whose server is refused by admission is not deployed, and says why', async () => {
    const cluster = admittingCluster()
    cluster.seed([aTDeploy({ approve: APPROVED })])
    const turn = await turnsOf('tdeploy', cluster)(KEY, at)
    expect(turn?.notices).toMatchObject([{ reason: 'DeployFailed', message: expect.stringContaining('(TS-V15)') }])
    expect((await cluster.get(TDEPLOY, KEY))?.deployed).toBeUndefined()
  })

  it('TD-R4 waits for the server that has its name, and is woken by it', () => {
    const reference = { of: TSERVER, key: TARGET }
    expect(tdeployController.refersTo(deploy)).toEqual([reference])
    const [, watch] = tdeployController.watches
    const among = { referring: () => [KEY], all: () => [] }
    expect(watch?.wakes(aTServer(), among)).toEqual([KEY])
  })
})
