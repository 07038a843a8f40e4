import type { Found, KubeObject, Settings } from '../../../kit/schema.ts'
import type { Nacos } from '../schema.ts'

/** The configuration that the pods mount. */
export interface MountedConfig {
  readonly configMap: string
  readonly key: string
  readonly path: string
  readonly digest: string
}

/** What the pods are built of. */
export interface MembersSubject {
  readonly nacos: Nacos
  /** None where the image brings its own. */
  readonly config?: MountedConfig | undefined
  /** Where the server answers; unknown where the mounted text is, when a probe that asks there stays as it is. */
  readonly contextPath?: string | undefined
  /** The StatefulSet that stands, whose immutable fields are sent back (NC-STS-41). */
  readonly live?: Found<KubeObject> | undefined
}

/** What the StatefulSet is built of, and nothing else (NC-STS-14). */
export interface NacosSubject extends MembersSubject {
  readonly settings: Settings
}
