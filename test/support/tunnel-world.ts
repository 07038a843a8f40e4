import type { Built } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { SHARED_CONFIG_MAP } from '../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { configMapName } from '../../webhooks/cloudflare/aggregation/sources.ts'
import { CLUSTER_TUNNEL } from '../../webhooks/cloudflare/tunnel/schema.ts'
import { aCloudflare } from './builders/cloudflare.ts'
import { TUNNEL_ID, tunnelWorld, USUAL_TUNNEL, wholeWorld } from './cloudflare-world.ts'

export const CONFIG_MAP = { namespace: 'tars-system', name: configMapName(TUNNEL_ID) }
export const OTHER_ID = '99999999-2222-4333-8444-555555555555'

export const CLASS: Built = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'cloudflare' },
  spec: { controller: 'cloudflare-operator.io/ingress-controller' },
}
const parameters = { apiGroup: 'networking.cloudflare-operator.io', kind: 'TunnelIngressClassConfig', name: 'c' }
/** The same with parameters, which name a config in the namespace of the operator. */
export const CONFIGURED: Built = {
  ...CLASS,
  spec: { controller: 'cloudflare-operator.io/ingress-controller', parameters },
}
export const aConfig = (spec: Tree = {}) =>
  aCloudflare('TunnelIngressClassConfig', spec, { name: 'c', namespace: 'tars-system' })
export const anIngress = (name: string, spec: Tree = {}): Built => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name, namespace: 'demo' },
  spec: { ingressClassName: 'cloudflare', rules: [aRule(`${name}.example.com`)], ...spec },
})
const BACKEND = { service: { name: 'web', port: { number: 80 } } }
export const aRule = (host: string, path = '/', backend: Tree = BACKEND) => ({
  host,
  http: { paths: [{ path, pathType: 'Prefix', backend }] },
})
export const aService = (spec: Tree = { ports: [{ port: 80 }] }, name = 'web'): Built => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'demo' },
  spec,
})

/** A cluster with the tunnel, its class and a Service, and what stands in the ConfigMap and at Cloudflare. */
export const aTunnelWorld = async (...objects: readonly Built[]) =>
  seenThrough(await tunnelWorld(USUAL_TUNNEL, CLASS, aService(), ...objects))
/** The same with all controllers of the family, and with tunnels of the test alone. */
export const aWholeTunnelWorld = async (...objects: readonly Built[]) =>
  seenThrough(await wholeWorld(CLASS, aService(), ...objects))

function seenThrough(world: Awaited<ReturnType<typeof tunnelWorld>>) {
  const { cluster, account, double } = world
  const remote = (id = TUNNEL_ID) => account.tunnels.get(id)
  const stored = (name = CONFIG_MAP.name) => cluster.get(SHARED_CONFIG_MAP, { ...CONFIG_MAP, name })
  async function keys(name?: string) {
    const content: unknown = JSON.parse((await stored(name))?.data?.['config.json'] ?? '{}')
    return isTree(content) && isTree(content.sources) ? Object.keys(content.sources) : []
  }
  const tunnel = { namespace: '', name: 'main' }
  return {
    ...world,
    stored,
    keys,
    /** Of what Cloudflare has now. */
    hostnames: (id = TUNNEL_ID) => hostnamesIn(remote(id)?.config ?? {}),
    remote,
    /** The hostnames of each configuration that was sent. */
    sent: () => double.log.flatMap(({ method, body }) => (method === 'PUT' ? [hostnamesIn(configIn(body))] : [])),
    status: async () => (await stored())?.metadata.annotations?.['cloudflare-operator.io/sync-status'],
    annotate: (metadata: Tree) => cluster.merge(CLUSTER_TUNNEL, tunnel, { metadata: { annotations: metadata } }),
    addTunnel: (id: string) => {
      const first = remote()
      if (first !== undefined) account.tunnels.set(id, { ...first, id, name: id, config: null, version: 0 })
    },
  }
}
export type TunnelWorld = Awaited<ReturnType<typeof aTunnelWorld>>

const configIn = (body: unknown): Tree => (isTree(body) && isTree(body.config) ? body.config : {})
function hostnamesIn({ ingress }: Tree): readonly string[] {
  const rules: readonly unknown[] = Array.isArray(ingress) ? ingress : []
  return rules.flatMap((rule) => (isTree(rule) && typeof rule.hostname === 'string' ? [rule.hostname] : []))
}
