import { valueAt } from '../../kit/admission.ts'
import { type ClusterReader, isTree, object, resource, type Tree } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../daemonsets.ts'

export const CRD = resource(
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    scope: 'Cluster',
  },
  object({}),
)
export const CRD_NAME = `${KRUISE_DAEMONSET.plural}.${KRUISE_DAEMONSET.group}`

/** A version of apps.kruise.io that the cluster serves. */
export interface ServedVersion {
  readonly of: typeof KRUISE_DAEMONSET
  /** Its place in spec.versions. */
  readonly index: number
  /** The schema has spec.patches, or keeps what it does not know. */
  readonly hasField: boolean
}

/** None where there is no such definition. */
export async function servedVersions(live: ClusterReader): Promise<readonly ServedVersion[]> {
  const definition = await live.get(CRD, { namespace: '', name: CRD_NAME })
  const versions = valueAt(definition, 'spec.versions')
  const all = Array.isArray(versions) ? versions : []
  return [KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA].flatMap((of) => {
    const index = all.findIndex((each) => isTree(each) && each.name === of.version && each.served === true)
    return index === -1 ? [] : [{ of, index, hasField: hasField(all[index]) }]
  })
}

function hasField(version: Tree): boolean {
  const root = valueAt(version, 'schema.openAPIV3Schema')
  const spec = valueAt(root, 'properties.spec')
  return isOpen(root) || isOpen(spec) || valueAt(spec, 'properties.patches') !== undefined
}

const isOpen = (schema: unknown) => valueAt(schema, 'x-kubernetes-preserve-unknown-fields') === true
