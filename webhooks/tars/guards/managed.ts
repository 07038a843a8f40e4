import { driftsIn } from '../../../src/kube/drift.ts'
import { type Findings, isSame, type Update, valueAt } from '../../kit/admission.ts'
import type { ClusterReader, KubeObject } from '../../kit/schema.ts'
import { FRAMEWORK_NAME, NODE_PATCHES } from '../names.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { workloadsFor } from '../tserver/objects/objects.ts'
import { TSERVER } from '../tserver/schema.ts'

type Updated = Update<KubeObject>

/**
 * The fields of an object that its TServer manages and this update gives another value (GW-2). A field that had a wrong
 * value already may keep it (CV-8).
 */
export async function driftingFields(given: Updated, cluster: ClusterReader): Promise<Findings> {
  const wanted = await wantedOf(given, cluster)
  if (wanted === undefined) return []
  const before = new Map(driftsIn(wanted, given.prev).map(({ path, live }) => [path, live]))
  const stood = (path: string, live: unknown) => before.has(path) && isSame(before.get(path), live)
  const drifts = driftsIn(wanted, given.next).filter(({ path, live }) => !stood(path, live))
  return drifts.map(({ path }) => ({ path, value: serverOf(given) }))
}

/** As the mapping makes it; nothing where the server has no such object, or is of another shape than we know. */
async function wantedOf(given: Updated, cluster: ClusterReader) {
  const { namespace, next } = given
  const [server, config] = await Promise.all([
    cluster.get(TSERVER, { namespace, name: next.metadata.name }),
    cluster.get(TFRAMEWORKCONFIG, { namespace, name: FRAMEWORK_NAME }),
  ])
  if (server === undefined || !TSERVER.isOutline(server)) return undefined
  return workloadsFor(server, config, given).find(({ of }) => of.kind === valueAt(next, 'kind'))?.object
}

/** GW-3 */
export async function missingServer({ namespace, next }: Updated, cluster: ClusterReader): Promise<Findings> {
  const server = await cluster.get(TSERVER, { namespace, name: next.metadata.name })
  return server === undefined ? [{ path: 'metadata.ownerReferences', value: serverOf({ namespace, next }) }] : []
}

const serverOf = ({ namespace, next }: Pick<Updated, 'namespace' | 'next'>) => `${namespace}/${next.metadata.name}`

export function isControlled({ metadata: { ownerReferences } }: KubeObject): boolean {
  return (ownerReferences ?? []).some(
    ({ controller, apiVersion, kind }) =>
      controller === true && kind === TSERVER.kind && apiVersion.startsWith(`${TSERVER.group}/`),
  )
}

/** Whether an update may concern what a TServer manages. If not, nothing is looked up. */
export const concernsManaged = ({ prev, next }: Updated) => !isSame(managedPart(prev), managedPart(next))
function managedPart(object: KubeObject) {
  const { labels, ownerReferences, annotations } = object.metadata
  const patches = annotations?.[NODE_PATCHES.source] && Object.values(NODE_PATCHES).map((key) => annotations[key])
  return { labels, ownerReferences, patches, spec: valueAt(object, 'spec') }
}

/** Whether an update changes anything but the status and what the API server writes itself. */
export const changesAnything = ({ prev, next }: Updated) => !isSame(authored(prev), authored(next))
function authored({ metadata, ...body }: KubeObject) {
  const byServer = { managedFields: undefined, resourceVersion: undefined, generation: undefined }
  return { ...body, status: undefined, metadata: { ...metadata, ...byServer } }
}
