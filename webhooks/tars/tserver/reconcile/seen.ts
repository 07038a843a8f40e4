import { isTerminating } from '../../../../src/kube/metadata.ts'
import type { Found, Gvr, KubeObject } from '../../../kit/schema.ts'
import type { Pod } from '../../pods.ts'
import type { TFrameworkConfig } from '../../tframeworkconfig/schema.ts'
import { TSERVER, type TServer } from '../schema.ts'

/** All that a plan for one server looks at. */
export interface ServerSeen {
  readonly server: TServer
  /** The TFrameworkConfig of the namespace. */
  readonly config: Found<TFrameworkConfig> | undefined
  /** What stands under the name of the server, whatever its owner is. */
  readonly there: readonly StandingObject[]
  /** The pods that carry the labels of the server. */
  readonly pods: readonly Found<Pod>[]
}
export interface StandingObject {
  readonly of: Gvr
  readonly object: Found<KubeObject>
}
/** A TServer that does not fit its schema, and the field at fault. What was made of it stays as it is. */
export interface UnreadableServer {
  readonly misfit: string
}

export type Standings = Pick<ServerSeen, 'server' | 'there'>
export const standingAs = (of: Gvr, { there }: Standings) => there.find((each) => each.of === of)?.object

/** TS-R6: only what this very TServer controls is written. The garbage collector is about to take what a former one left. */
export function holdOn(object: Found<KubeObject>, { metadata }: KubeObject) {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller)
  if (owner === undefined) return 'foreign'
  if (owner.uid === metadata.uid) return isTerminating(object) ? 'terminating' : 'ours'
  const isTServer = owner.kind === TSERVER.kind && owner.apiVersion.startsWith(`${TSERVER.group}/`)
  return isTServer && owner.name === metadata.name ? 'predecessor' : 'foreign'
}
