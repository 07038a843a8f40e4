import type { Built, Words } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { GOING } from './templates.ts'

interface ServerWishes {
  /** What app and server make of it when absent. */
  readonly name?: string
  readonly namespace?: string
  readonly app?: string
  readonly server?: string
  readonly template?: string
  readonly servants?: readonly object[]
  /** Beside the servants. */
  readonly ports?: readonly object[]
  /** A server that is none of tars, with these ports. */
  readonly normal?: readonly object[]
  /** Over what there is. */
  readonly k8s?: Tree
  readonly release?: object
  /** Over what there is, for a spec that does not hold together. */
  readonly spec?: Tree
  /** As the mutation leaves them when absent. */
  readonly labels?: Words
  readonly annotations?: Words
  readonly finalizers?: readonly string[]
  /** Waits for its finalizers. */
  readonly going?: boolean
}

/** As it is stored: completed, and nothing wrong with it where there is its template. */
export function aTServer({
  app = 'Demo',
  server = 'Echo',
  name = `${app}-${server}`.toLowerCase(),
  namespace = 'demo',
  template = 'base',
  servants = [aServant()],
  ports,
  normal,
  k8s = {},
  release,
  spec = {},
  labels = {
    'tars.io/ServerApp': app,
    'tars.io/ServerName': server,
    'tars.io/SubType': normal ? 'normal' : 'tars',
    ...(!normal && { 'tars.io/Template': template }),
  },
  annotations,
  finalizers,
  going = false,
}: ServerWishes = {}): Built {
  const gate = normal ? {} : { readinessGate: 'tars.io/active' }
  const program = normal
    ? { subType: 'normal', normal: { ports: normal } }
    : { subType: 'tars', tars: { template, servants, ...(ports && { ports }) } }
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TServer',
    metadata: {
      name,
      namespace,
      labels,
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(going && GOING),
    },
    spec: {
      app,
      server,
      ...program,
      k8s: { replicas: release ? 1 : 0, ...gate, ...k8s },
      ...(release && { release }),
      ...spec,
    },
  }
}

export const aServant = (wishes: object = {}) => ({ name: 'EchoObj', port: 10_000, ...wishes })
export const aPort = (wishes: object = {}) => ({ name: 'http', port: 8080, ...wishes })

/** Complete: its mutations have nothing to add. */
export const aRelease = (wishes: object = {}) => ({
  id: 'r1',
  image: 'registry.example/demo/echo:r1',
  time: '2026-11-18T08:00:00Z',
  nodeImage: 'registry.example/tars/tarsnode:v1',
  ...wishes,
})

/** One source of each kind, by its name. */
export const SOURCES = {
  configMap: { name: 'a' },
  secret: { secretName: 'a' },
  emptyDir: {},
  hostPath: { path: '/data', type: '' },
  persistentVolumeClaim: { claimName: 'a' },
  persistentVolumeClaimTemplate: {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2G' } } },
  },
  tLocalVolume: {},
} as const

/** A folder of the pod, unless another kind of source is asked for. */
export function aMount({ of = 'emptyDir', ...wishes }: { of?: keyof typeof SOURCES } & Tree = {}): Tree {
  return { name: 'data', mountPath: '/data', source: { [of]: SOURCES[of] }, ...wishes }
}
