import { driftIn } from '../../../../src/kube/drift.ts'
import { someOf, valueAt } from '../../../kit/admission.ts'
import type { Built } from '../../../kit/controller.ts'
import { isTree, type KubeObject, type Tree } from '../../../kit/schema.ts'
import { DELAY_BIND } from '../reserved.ts'

const TEMPLATES = 'spec.volumeClaimTemplates'
/** What the mapping writes into a claim template. The API server fills in the mode alone. */
const CLAIM_FIELDS = ['accessModes', 'resources', 'storageClassName', 'volumeName', 'volumeMode', 'selector'] as const

/** MP-31, MP-32: what differs that the API server does not let change, and what becomes of the pods. */
export function reasonsToRecreate(wanted: Built, live: KubeObject): readonly string[] {
  const claims = { wanted: claimsIn(wanted), live: claimsIn(live) }
  const [here, there] = [[...claims.wanted.keys()], [...claims.live.keys()].filter((name) => name !== DELAY_BIND)]
  const added = here.filter((name) => !claims.live.has(name))
  const removed = there.filter((name) => !claims.wanted.has(name))
  const changed = there.filter((name) => isChanged(claims.wanted.get(name), claims.live.get(name)))
  return [
    ...reason('claim templates added', added, 'pods that lack the claim are deleted one at a time'),
    ...reason('claim templates removed', removed, 'the pods are replaced as their template changes'),
    ...reason('claim templates changed', changed, 'pods stay, and so do claims that exist: only later claims follow'),
    ...reason(
      'changed',
      FIXED.filter((path) => isOther(path, wanted, live)),
      'pods stay',
    ),
  ]
}
const FIXED = ['spec.podManagementPolicy', 'spec.serviceName', 'spec.selector']

function reason(what: string, names: readonly string[], follows: string): readonly string[] {
  return names.length === 0 ? [] : [`${what}: ${someOf(names)} (${follows})`]
}

/**
 * A StatefulSet whose claims are in sync is applied with them in its own order, and with those that were made by
 * upstream's controller as they are: the API server refuses any other list.
 */
export function withClaimsOf(live: KubeObject, wanted: Built): Built {
  const claims = claimsIn(wanted)
  const templates = [...claimsIn(live)].map(([name, claim]) => (hasMore(claim) ? claim : (claims.get(name) ?? claim)))
  if (templates.length === 0 || !isTree(wanted.spec)) return wanted
  return { ...wanted, spec: { ...wanted.spec, volumeClaimTemplates: templates } }
}

/** Upstream's controller has them in its templates. */
function hasMore({ metadata }: Tree): boolean {
  return isTree(metadata) && (metadata.ownerReferences !== undefined || metadata.namespace !== undefined)
}

export const claimNamesIn = (statefulSet: KubeObject): readonly string[] => [...claimsIn(statefulSet).keys()]

function claimsIn(statefulSet: KubeObject): ReadonlyMap<string, Tree> {
  const templates = valueAt(statefulSet, TEMPLATES)
  const claims = Array.isArray(templates) ? templates.filter(isTree) : []
  return new Map(claims.map((claim) => [String(valueAt(claim, 'metadata.name')), claim]))
}

function isChanged(wanted: Tree | undefined, live: Tree | undefined): boolean {
  if (wanted === undefined || live === undefined) return false
  return areOther({ volumeClaimTemplates: [comparable(wanted)] }, { volumeClaimTemplates: [comparable(live)] })
}

function comparable(claim: Tree): Tree {
  const { metadata, spec } = claim
  const { labels = {}, annotations = {} } = isTree(metadata) ? metadata : {}
  const fields = isTree(spec) ? spec : {}
  const kept = CLAIM_FIELDS.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]]))
  return { metadata: { labels, annotations }, spec: { volumeMode: 'Filesystem', ...Object.fromEntries(kept) } }
}

function isOther(path: string, wanted: Built, live: KubeObject): boolean {
  const field = path.replace('spec.', '')
  return areOther({ [field]: valueAt(wanted, path) }, { [field]: valueAt(live, path) })
}

/** Both ways, since a field that left the mapping is a difference too. Quantities are compared by value (WK-4). */
function areOther(one: Tree, other: Tree): boolean {
  const [first, second] = [one, other].map((spec) => ({ apiVersion: 'apps/v1', kind: 'StatefulSet', spec }))
  return driftIn({ ...first }, second) !== undefined || driftIn({ ...second }, first) !== undefined
}
