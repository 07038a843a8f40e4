import type { Tree } from '../../../src/schema.ts'
import { settingsOf } from '../../../src/setting.ts'
import type { NacosSubject } from '../../../webhooks/nacos/nacos/objects/subject.ts'
import { NACOS, type Nacos } from '../../../webhooks/nacos/nacos/schema.ts'

/** A stored Nacos, as that of the usage guide. */
export function aNacos(spec: Tree = {}, metadata: Tree = {}, status?: Tree): Nacos {
  const object: unknown = {
    metadata: { name: 'my-nacos', namespace: 'default', uid: 'u', generation: 1, ...metadata },
    spec: { type: 'cluster', image: 'nacos/nacos-server:v2.4.3', replicas: 3, ...spec },
    ...(status && { status }),
  }
  if (NACOS.isOutline(object)) return object
  throw new Error(`this is no Nacos: ${NACOS.misfitIn(object)}`)
}

export const A_CONFIG = {
  configMap: 'my-nacos-final-config',
  key: 'application.properties',
  path: '/home/nacos/conf/application.properties',
  digest: '0a636216853f632b',
} as const

/** What its children are built of. */
export function aSubject(nacos: Nacos, rest: Partial<NacosSubject> = {}): NacosSubject {
  return { nacos, settings: settingsOf({}), config: A_CONFIG, contextPath: '/nacos', ...rest }
}
