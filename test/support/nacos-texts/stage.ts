import type { Built } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'

// What stands in a namespace while each rule is asked, in memory and on a real API server.

type OnStage = Built & { readonly kind: 'Nacos' | 'ConfigMap' } & Tree

export const OPS_AND_TEAM = {
  internalConfigRef: { name: 'ops', key: 'i' },
  userConfigRef: { name: 'team', key: 'u' },
}

export const aNacos = (name: string, spec: Tree = {}, metadata: Tree = {}): OnStage => ({
  apiVersion: 'nacos.io/v1alpha1',
  kind: 'Nacos',
  metadata: { name, ...metadata },
  spec: { type: 'cluster', image: 'nacos/nacos-server:v2.4.3', replicas: 3, ...spec },
})
const aConfigMap = (name: string, data: Tree, metadata: Tree = {}): OnStage => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})
const aSource = (name: string, data: Tree, annotations: Tree = {}) =>
  aConfigMap(name, data, { labels: { 'nacos.io/config-role': 'source' }, annotations })

const MANY = Array.from({ length: 7 }, (_, i) => `many-${i + 1}`)

export const NACOS_ON_STAGE: readonly OnStage[] = [
  aNacos('n', OPS_AND_TEAM),
  aNacos('alone', { userConfigRef: { name: 'solo', key: 'u' }, internalConfigRef: { name: 'absent', key: 'i' } }),
  aNacos('free', { userConfigRef: { name: 'free', key: 'u' } }),
  ...MANY.map((name) => aNacos(name, { internalConfigRef: { name: 'shared', key: 'i' } })),
  aNacos('old', { type: 'standalone', replicas: 1, config: 'a=1', image: 'nacos/nacos-server:1.4.4' }),
  aNacos('disk', { volume: { enabled: true, requests: { storage: '1Gi' } } }),
  aNacos('guarded', {}, { annotations: { 'nacos.io/deletion-protection': 'true' } }),
]

/** Those that are generated are controlled by a Nacos, whose uid the API server gives. */
export const configMapsOnStage = (uidOf: (nacos: string) => string): readonly OnStage[] => {
  const generated = (name: string, nacos: string) =>
    aConfigMap(
      name,
      { 'application.properties': 'a=1' },
      {
        labels: { 'nacos.io/config-role': 'final' },
        ownerReferences: [
          { apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: nacos, uid: uidOf(nacos), controller: true },
        ],
      },
    )
  return [
    aSource('ops', { i: 'server.port=8848' }, { 'nacos.io/protected-keys': 'server.*' }),
    aSource('team', { u: 'a=1' }),
    aSource('solo', { u: 'a=1' }),
    aSource('free', { u: 'a=1' }),
    aSource('shared', { i: 'a=1' }),
    aConfigMap('broken', { u: 'a=1\nb=\\u' }),
    aConfigMap('bold', { u: 'server.port=1' }),
    aConfigMap('large', { u: `a=${'x'.repeat(999_980)}` }),
    generated('made', 'n'),
    generated('made-old', 'old'),
  ]
}
