import type { Built } from '../../src/cluster/port.ts'
import type { Tree } from '../../src/schema.ts'
import { LABELS } from '../../webhooks/tars/names.ts'
import { NAMESPACE } from './objects.ts'

const CREATED = '2026-11-18T12:01:02Z'

/** A pod of the `i`-th server, as the API server and kubelet leave it: 6 KB. */
export function podAt(i: number, at: number, uid: string): Built {
  const server = `demo-echo${i}`
  const name = `${server}-${at}`
  const labels = {
    [LABELS.app]: 'demo',
    [LABELS.server]: `echo${i}`,
    [LABELS.serverId]: `demo.echo${i}`,
    'controller-revision-hash': `${server}-5d8f7c6b9`,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(at),
  }
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: server, uid, controller: true }
  const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
  const metadata = { name, generateName: `${server}-`, namespace: NAMESPACE, labels, ownerReferences }
  const place = { hostname: name, subdomain: server, nodeName: `node-${(i + at) % 100}` }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...specOf(i), ...place }, status: statusOf(i, at) }
}

const imageOf = (i: number) => `registry.example.com/tars/demo.echo${i}:v1.2.2`
const VOLUMES = ['host-log-dir', 'host-timezone', 'tarsnode-work-dir']
const VOLUME_SOURCES = VOLUMES.map((name) => ({ name, hostPath: { path: `/usr/local/app/tars/${name}`, type: '' } }))
const MOUNTS = VOLUMES.map((name) => ({ name, mountPath: `/usr/local/app/tars/${name}` }))
const ENV = Array.from({ length: 12 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value-${at}` }))
const TOKEN = {
  name: 'kube-api-access-x7q2v',
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
}
const TOLERATIONS = ['not-ready', 'unreachable'].map((what) => ({
  ...{ key: `node.kubernetes.io/${what}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
}))

function specOf(i: number): Tree {
  const container = {
    ...{ name: `demo-echo${i}`, image: imageOf(i), imagePullPolicy: 'Always', env: ENV, volumeMounts: MOUNTS },
    ...{ ports: [{ name: 'echoobj', containerPort: 10_001, protocol: 'TCP' }], resources: {} },
    ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  }
  const node = { ...container, name: 'tarsnode', image: 'registry.example.com/tars/tars.tarsnode:v1.2.2' }
  return {
    ...{ initContainers: [node], containers: [container], volumes: [...VOLUME_SOURCES, TOKEN] },
    ...{ restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' },
    ...{ readinessGates: [{ conditionType: 'tars.io/active' }], tolerations: TOLERATIONS },
    ...{ schedulerName: 'default-scheduler', serviceAccountName: 'default' },
  }
}

const STEPS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled', 'tars.io/active']

function statusOf(i: number, at: number): Tree {
  const [podIP, hostIP] = [`10.${at}.${Math.floor(i / 250)}.${i % 250}`, `192.168.0.${(i + at) % 100}`]
  const conditions = STEPS.map((type) => {
    return { type, status: 'True', lastProbeTime: null, lastTransitionTime: CREATED }
  })
  const ended = { exitCode: 0, reason: 'Completed', startedAt: CREATED, finishedAt: CREATED }
  return {
    ...{ phase: 'Running', startTime: CREATED, qosClass: 'BestEffort', conditions },
    ...{ hostIP, hostIPs: [{ ip: hostIP }], podIP, podIPs: [{ ip: podIP }] },
    initContainerStatuses: [containerIn(i, at, 'tarsnode', { terminated: ended })],
    containerStatuses: [containerIn(i, at, `demo-echo${i}`, { running: { startedAt: CREATED } })],
  }
}

function containerIn(i: number, at: number, name: string, state: Tree): Tree {
  const digest = (what: string) => `${what}${String(i * 8 + at).padStart(60, '0')}`
  return {
    ...{ name, state, lastState: {}, ready: true, restartCount: 0, started: true, image: imageOf(i) },
    imageID: `registry.example.com/tars/demo.echo${i}@sha256:${digest('abcd')}`,
    containerID: `containerd://${digest(name.slice(0, 4))}`,
  }
}
