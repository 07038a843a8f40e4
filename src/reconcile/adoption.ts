import type { ClusterReader, Gvr } from '../cluster/port.ts'
import { resource } from '../cluster/resource.ts'
import { isNamed, refOf } from '../cluster/stored.ts'
import { isTree, object, type Tree } from '../schema.ts'
import type { ApplyAction, Performed } from './action.ts'
import { type ActionWriter, appliedTo, MANAGER, outcomeOf, performed } from './apply.ts'

export interface Adopting {
  readonly live: Pick<ClusterReader, 'get' | 'dryRun'>
  readonly writer: ActionWriter
  /** Field managers whose fields become ours when we take over an object that we own and did not apply yet. */
  readonly adopts: readonly string[]
}

/**
 * WK-14: without it the fields of an earlier controller that the desired object does not have would stay for ever. The
 * apply over what the patch has made, or the result that ends it. Caches drop managedFields, so it needs a live read.
 */
export async function adopted(action: ApplyAction, parts: Adopting): Promise<ApplyAction | Performed> {
  const { of, over, manager = MANAGER } = action
  if (over === undefined || appliedTo(over) !== undefined || manager !== MANAGER) return action
  const found = await outcomeOf(parts.live.get(anyOf(of), refOf(action.object)))
  if (found.outcome !== 'done') return found
  const entries = adoptedEntries(found.answer?.metadata, parts.adopts)
  if (entries === undefined) return action
  const { uid = '', resourceVersion = '' } = over.metadata
  const operations = [{ op: 'replace', path: '/metadata/managedFields', value: entries } as const]
  const expects = { uid, resourceVersion }
  const patch = { do: 'patch', of, ref: refOf(action.object), expects, operations, because: 'WK-14' } as const
  const result = await performed(patch, parts.writer)
  if (result.outcome !== 'done' || !isNamed(result.answer)) return result
  return { ...action, over: result.answer }
}
const anyOf = (of: Gvr) => resource(of, object({}))

/** The entries with those of the adopted managers as one of ours; undefined when there is nothing to adopt. */
function adoptedEntries(metadata: unknown, adopts: readonly string[]): readonly Tree[] | undefined {
  const { managedFields } = isTree(metadata) ? metadata : {}
  const entries = Array.isArray(managedFields) ? managedFields.filter(isTree) : []
  if (entries.some(({ manager, operation }) => manager === MANAGER && operation === 'Apply')) return undefined
  const [first, ...more] = entries.filter((entry) => isAdoptable(entry, adopts))
  if (first === undefined) return undefined
  const same = more.filter(({ apiVersion }) => apiVersion === first.apiVersion)
  const fieldsV1 = same.reduce<unknown>((fields, entry) => union(fields, entry.fieldsV1), first.fieldsV1)
  const ours = { ...first, manager: MANAGER, operation: 'Apply', fieldsV1 }
  return entries.flatMap((entry) => (entry === first ? [ours] : same.includes(entry) ? [] : [entry]))
}

function isAdoptable({ manager, operation, subresource = '' }: Tree, adopts: readonly string[]): boolean {
  return operation === 'Update' && subresource === '' && adopts.some((name) => name === manager)
}

/** An API server keeps one entry of a manager, so two become one. */
function union(one: unknown, other: unknown): unknown {
  if (!isTree(one) || !isTree(other)) return one ?? other
  const both = Object.entries(other).map(
    ([key, value]) => [key, union(Object.hasOwn(one, key) ? one[key] : undefined, value)] as const,
  )
  return { ...one, ...Object.fromEntries(both) }
}
