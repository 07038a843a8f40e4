import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { asCluster } from '../../../../src/process/memory-cluster.ts'
import { RemoteAccounts } from '../../../../webhooks/cloudflare/access/accounts.ts'
import { TunnelConfigs } from '../../../../webhooks/cloudflare/aggregation/tunnel-configs.ts'
import { CLUSTER_TUNNEL } from '../../../../webhooks/cloudflare/tunnel/schema.ts'
import { conclusionOf } from '../../../../webhooks/cloudflare/tunnelconfig/conclude.ts'
import { tunnelConfigController } from '../../../../webhooks/cloudflare/tunnelconfig/controller.ts'
import { CONFIG_FINALIZER } from '../../../../webhooks/cloudflare/tunnelconfig/plan.ts'
import { observing } from '../../../../webhooks/cloudflare/tunnelconfig/seen.ts'
import { outcomeIn, performing, type TunnelStep } from '../../../../webhooks/cloudflare/tunnelconfig/step.ts'
import { TunnelSync } from '../../../../webhooks/cloudflare/tunnelconfig/sync.ts'
import { SETTINGS } from '../../../support/answerer-parts.ts'
import { USUAL_TUNNEL as MAIN, TUNNEL_ID } from '../../../support/cloudflare-world.ts'
import { clusterOf, NOW } from '../../../support/clusters.ts'
import { ScriptedCloudflare } from '../../../support/fakes/cloudflare.ts'
import { anIngress, aService, CLASS, CONFIG_MAP } from '../../../support/tunnel-world.ts'
import { turnsOfController } from '../../../support/turns.ts'

const api = new ScriptedCloudflare()
const accounts = new RemoteAccounts(api, SETTINGS)
const pacing = { pause: () => Promise.resolve(), random: () => 0, tick: () => 0 }
const KNOWN = { namespace: 'tars-system', name: 'tunnel-config-known' }
const among = { referring: () => [], all: () => [KNOWN] }
const theConfigMap = (metadata: object = {}): Built => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...CONFIG_MAP,
    labels: { 'cloudflare-operator.io/type': 'tunnel-config', 'cloudflare-operator.io/tunnel-id': TUNNEL_ID },
    ...metadata,
  },
})

describe('a change of', () => {
  const controller = tunnelConfigController({ accounts, settings: SETTINGS, pacing })
  const wokenBy = (object: Built) =>
    controller.watches
      .filter(({ resource }) => resource.kind === object.kind)
      .flatMap(({ wakes }) => wakes(object, among))

  it.each([
    { name: 'a tunnel wakes itself and all others', object: MAIN, woken: [CONFIG_MAP, KNOWN] },
    { name: 'a tunnel without an id wakes all others', object: { ...MAIN, status: {} }, woken: [KNOWN] },
    { name: 'an Ingress wakes all', object: anIngress('a'), woken: [KNOWN] },
    { name: 'a class wakes all', object: CLASS, woken: [KNOWN] },
    { name: 'a ConfigMap wakes itself', object: theConfigMap(), woken: [CONFIG_MAP] },
    { name: 'one in another namespace wakes none', object: theConfigMap({ namespace: 'demo' }), woken: [] },
    { name: 'one of another name wakes none', object: theConfigMap({ name: 'tunnel-config-x' }), woken: [] },
    { name: 'a Service that nothing rests on wakes none', object: aService(), woken: [] },
  ])('$name', ({ object, woken }) => {
    expect(wokenBy(object)).toEqual(woken)
  })
  it('a Service that an Ingress names wakes its tunnel', async () => {
    const turn = turnsOfController(controller, clusterOf(MAIN, CLASS, anIngress('a')))
    await turn(CONFIG_MAP, new Date(NOW))
    expect(wokenBy(aService())).toEqual([CONFIG_MAP])
  })
  it('anything is gathered', () => {
    expect(controller.watches.map(({ gather }) => gather?.quietMs)).toEqual(controller.watches.map(() => 500))
  })
})

const STEP: TunnelStep = {
  ...{ do: 'sync tunnel', because: 'CF-AGG-15', tunnelId: TUNNEL_ID, assertions: [], drops: [], removals: [] },
  ...{ writes: [{ key: 'Ingress/demo/a', source: {} }], needs: ['Ingress/demo/a'], hasUnclear: false },
  ...{ account: { id: 'acc', credentials: 'main' }, isRecorded: true, isTakenOver: false, overwritesForeign: false },
  ...{ ignoresDrift: false, refused: [], failures: 0 },
}
/** What is written goes to another namespace, so that it lacks in the ConfigMap. */
async function sentBy(step: TunnelStep) {
  const { readers, writer } = asCluster(clusterOf(theConfigMap()), [])
  const perform = performing(
    new TunnelConfigs('elsewhere', pacing),
    new TunnelSync(accounts, SETTINGS),
    CONFIG_MAP.namespace,
  )
  const { signal } = new AbortController()
  const context = { live: readers.live, writer, signal, at: new Date(NOW), settings: SETTINGS }
  return outcomeIn(await perform(step, context))?.sent
}

describe('nothing is asked of Cloudflare', () => {
  it.each([
    { name: 'where the ConfigMap lacks a source that was written', step: STEP, againInMs: 1_000 },
    {
      name: 'before the time that a failure named, whatever changes',
      step: { ...STEP, needs: [], notBefore: new Date(Date.parse(NOW) + 7_000) },
      againInMs: 7_000,
    },
  ])('$name', async ({ step, againInMs }) => {
    const sent = await sentBy(step)
    expect(sent).toMatchObject({ isBare: false, againInMs })
    expect([sent?.state, api.asked]).toEqual([undefined, []])
  })
})

it('CF-AGG-06 a tunnel waits where its ConfigMap was deleted within the turn', async () => {
  const memory = clusterOf(
    { ...MAIN, metadata: { ...MAIN.metadata, finalizers: [CONFIG_FINALIZER] } },
    CLASS,
    anIngress('a'),
  )
  await memory.remove(CLUSTER_TUNNEL, { namespace: '', name: 'main' })
  const { readers } = asCluster(memory, [])
  const observe = observing({ accounts, settings: SETTINGS, restsOn: () => undefined })
  const seen = await observe(CONFIG_MAP, { ...readers, gone: () => [] })
  const sent = {
    notices: [],
    findings: [],
    isAsBefore: true,
    refused: [],
    failures: 0,
    againInMs: 9_000,
    isBare: false,
  }
  const concluded = (left: object) => {
    const answer = { tunnel: { rejected: [], attempts: 0, ...left, sent } }
    const given = { at: new Date(NOW), settings: SETTINGS }
    const { actions = [], againInMs } = seen
      ? conclusionOf(seen, [{ action: STEP, outcome: 'done', answer }], given)
      : {}
    return [actions.some((each) => each.of === CLUSTER_TUNNEL), againInMs]
  }
  expect(concluded({})).toEqual([false, 1_000])
  expect(concluded({ left: { keys: ['Ingress/demo/a'], uid: 'u', resourceVersion: '1', bytes: 2 } })).toEqual([
    true,
    9_000,
  ])
})

describe('a turn plans', () => {
  it('the finalizer first, and the owner reference once it is there; it needs each source that it writes', async () => {
    const memory = clusterOf(MAIN, CLASS, anIngress('a'))
    const turn = turnsOfController(tunnelConfigController({ accounts, settings: SETTINGS, pacing }), memory)
    const first = await turn(CONFIG_MAP, new Date(NOW))
    const second = await turn(CONFIG_MAP, new Date(NOW))
    expect(first?.actions.slice(0, 3)).toMatchObject([
      { do: 'merge', patch: { metadata: { finalizers: [CONFIG_FINALIZER] } } },
      {
        do: 'sync tunnel',
        assertions: [{ key: 'ClusterTunnel/main' }],
        needs: ['ClusterTunnel/main', 'Ingress/demo/a'],
      },
      { do: 'merge', of: { kind: 'ConfigMap' } },
    ])
    expect(first?.measured).toMatchObject([
      { metric: { name: 'cf_tunnel_sync_total' }, labels: { result: 'Error' } },
      { metric: { name: 'cf_configmap_write_attempts' }, value: 1 },
    ])
    const owned = [first, second].map((each) => JSON.stringify(each?.actions).includes('"owner":'))
    expect(owned).toEqual([false, true])
  })
})
