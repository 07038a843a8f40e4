import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../../src/cluster/port.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { PERSISTENT_VOLUME_CLAIM } from '../../../../../webhooks/tars/pods.ts'
import { aMount, aTServer } from '../../../../support/builders/servers.ts'
import { clusterOf } from '../../../../support/clusters.ts'
import { TERMINATING } from '../../../../support/servers-seen.ts'
import { settled as settledBy } from '../../../../support/turns.ts'

const LABELS = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
const FOLDER = { 'tars.io/LocalVolumeUID': '0', 'tars.io/LocalVolumeGID': '0', 'tars.io/LocalVolumeMode': '755' }
const REF = { namespace: 'demo', name: 'data-demo-echo-0' }

function aClaim({
  volume = 'data',
  labels = { ...LABELS, 'tars.io/LocalVolume': volume },
  metadata = {},
}: {
  volume?: string
  labels?: object
  metadata?: Tree
} = {}): Built {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { ...REF, labels: { ...labels }, ...metadata } }
}
const aServer = (mounts: readonly Tree[], k8s: Tree = {}) => aTServer({ k8s: { mounts, ...k8s } })
const LOCAL = aMount({ of: 'tLocalVolume' })

async function settled(settings: Tree, ...there: readonly Built[]) {
  const cluster = clusterOf(...there)
  const { writes } = await settledBy('tserver-claims', cluster, { given: settings })
  return { writes, claim: await cluster.get(PERSISTENT_VOLUME_CLAIM, REF) }
}

describe('MP-23, TS-R9 the claims of a local volume', () => {
  it.each([
    { tLocalVolume: {}, annotations: FOLDER },
    {
      tLocalVolume: { uid: '1000', gid: '1001', mode: '750' },
      annotations: {
        'tars.io/LocalVolumeUID': '1000',
        'tars.io/LocalVolumeGID': '1001',
        'tars.io/LocalVolumeMode': '750',
      },
    },
  ])('say what folder the node agent makes: $tLocalVolume', async ({ tLocalVolume, annotations }) => {
    const mine = { mine: 'x', 'tars.io/LocalVolumeMode': '700' }
    const { writes, claim } = await settled(
      {},
      aServer([aMount({ source: { tLocalVolume } })]),
      aClaim({ metadata: { annotations: mine } }),
    )
    expect(writes).toEqual(['merge PersistentVolumeClaim'])
    expect(claim?.metadata.annotations).toEqual({ mine: 'x', ...annotations })
  })
  it.each([
    { name: 'that says so already', claim: aClaim({ metadata: { annotations: FOLDER } }) },
    { name: 'that is terminating', claim: aClaim({ metadata: { ...TERMINATING, finalizers: ['a/b'] } }) },
    {
      name: 'of another server',
      claim: aClaim({ labels: { ...LABELS, 'tars.io/ServerName': 'Other', 'tars.io/LocalVolume': 'data' } }),
    },
    { name: 'that is no local volume', claim: aClaim({ labels: LABELS }) },
    { name: 'of a DaemonSet', claim: aClaim(), k8s: { daemonSet: true } },
    { name: 'of a claim template', claim: aClaim(), mounts: [aMount({ of: 'persistentVolumeClaimTemplate' })] },
  ])('but no claim $name', async ({ claim, k8s = {}, mounts = [LOCAL] }) => {
    expect((await settled({}, aServer(mounts, k8s), claim)).writes).toEqual([])
  })
  it.each([
    { name: 'terminating', server: aTServer({ k8s: { mounts: [LOCAL] }, going: true, finalizers: ['a/b'] }) },
    { name: 'misnamed (TS-V6)', server: aTServer({ k8s: { mounts: [LOCAL] }, name: 'demo-other' }) },
    { name: 'not readable', server: aTServer({ k8s: { mounts: 'none' } }) },
  ])('and nothing where the server is $name', async ({ server }) => {
    expect((await settled({ removedVolumePolicy: 'Delete' }, server, aClaim())).writes).toEqual([])
  })
})

describe('MP-33 the claims of a local volume that was removed', () => {
  const deleting = { removedVolumePolicy: 'Delete' }
  it.each([
    { name: 'stay, with their data', settings: {}, volume: 'data', mounts: [], writes: [] },
    {
      name: 'go where the setting says so',
      settings: deleting,
      volume: 'data',
      mounts: [],
      writes: ['remove PersistentVolumeClaim'],
    },
    {
      name: 'go where the mount is another kind of volume',
      settings: deleting,
      volume: 'data',
      mounts: [aMount()],
      writes: ['remove PersistentVolumeClaim'],
    },
    {
      name: 'stay where a claim template has the name',
      settings: deleting,
      volume: 'data',
      mounts: [aMount({ of: 'persistentVolumeClaimTemplate' })],
      writes: [],
    },
    {
      name: 'stay where they are the placeholder of upstream',
      settings: deleting,
      volume: 'delay-bind',
      mounts: [],
      writes: [],
    },
  ])('$name', async ({ settings, volume, mounts, writes }) => {
    const done = await settled(settings, aServer(mounts), aClaim({ volume }))
    expect(done.writes).toEqual(writes)
    expect(done.claim === undefined).toBe(writes.length > 0)
  })
})
