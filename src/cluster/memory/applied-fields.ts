import { Fault } from '../../faults.ts'
import { layoutOf } from '../../kube/layout.ts'
import { isTree, type Tree } from '../../schema.ts'
import { type Built, Refused } from '../port.ts'
import { bodyOf, changedPaths, childrenOf, type FieldNode, pathsIn } from './field-paths.ts'
import { mergeApplied, withoutGone } from './merge-applied.ts'

type Paths = ReadonlySet<string>
/** Who owns which field. All managers that write without apply count as one: to an apply they make no difference. */
interface Ownership {
  readonly others: Paths
  readonly appliers: ReadonlyMap<string, Paths>
}
const NONE: Paths = new Set()

/** What stands for metadata.managedFields: which fields of each applied object have which owners. */
export class AppliedFields {
  readonly #byUid = new Map<string, Ownership>()

  /** The object that an apply makes of a stored one. */
  merged(stored: Built, applied: Tree, manager: string): Tree {
    const { others, appliers } = this.#of(stored)
    const merged = mergeApplied(stored, applied, layoutOf(applied))
    const gone = without(appliers.get(manager) ?? NONE, pathsIn(bodyOf(applied)))
    const owners = [others, ...[...appliers].filter(([name]) => name !== manager).map(([, paths]) => paths)]
    const isOwned = (path: string) => owners.some((paths) => paths.has(path))
    return isTree(merged) ? withoutGone(merged, { gone, isOwned }) : applied
  }

  /** Notes an apply. Tells whether the manager owns other fields now than before. */
  noteApply(before: Built | undefined, now: Built, { applied, manager }: { applied: Tree; manager: string }): boolean {
    const { others, appliers } =
      before === undefined ? { others: NONE, appliers: new Map<string, Paths>() } : this.#of(before)
    const paths = pathsIn(bodyOf(applied))
    const taken = before === undefined ? NONE : both(changedPaths(bodyOf(before), bodyOf(now)), paths)
    const rest = [...appliers].map(([name, owned]) => [name, without(owned, taken)] as const)
    this.#byUid.set(uidOf(now), { others: without(others, taken), appliers: new Map([...rest, [manager, paths]]) })
    return (appliers.get(manager) ?? NONE).symmetricDifference(paths).size > 0
  }

  /** Notes a write of another kind: it takes what it changes. */
  noteWrite(before: Built, now: Built): void {
    const ownership = this.#byUid.get(uidOf(before))
    if (ownership === undefined) return
    const changed = changedPaths(bodyOf(before), bodyOf(now))
    const appliers = [...ownership.appliers].map(([name, paths]) => [name, without(paths, changed)] as const)
    this.#byUid.set(uidOf(now), { others: new Set([...ownership.others, ...changed]), appliers: new Map(appliers) })
  }

  forget(object: Built): void {
    this.#byUid.delete(uidOf(object))
  }

  /** What was there before the first apply belongs to others. */
  #of(object: Built): Ownership {
    return this.#byUid.get(uidOf(object)) ?? { others: pathsIn(bodyOf(object)), appliers: new Map() }
  }
}

const uidOf = ({ metadata }: Built) => metadata.uid ?? ''
const without = (paths: Paths, others: Paths): Paths => paths.difference(others)
const both = (paths: Paths, others: Paths): Paths => paths.intersection(others)

/** Unlike a create, an apply takes no two items of one key (WK-13). */
export function mustHaveKeysOnce(applied: Built): void {
  const twice = repeatedIn(bodyOf(applied))
  if (twice === undefined) return
  const { metadata, apiVersion, kind } = applied
  const name = `${metadata.namespace ?? ''}/${metadata.name}; ${apiVersion}, Kind=${kind}`
  const message = `failed to create typed patch object (${name}): ${twice}: duplicate entries`
  const cause = new Refused({ status: 'Failure', code: 500, reason: '', message })
  throw new Fault('CLUSTER_UNREACHABLE', `cannot apply ${metadata.name}: the API server answers 500`, { cause })
}

function repeatedIn(node: FieldNode): string | undefined {
  const children = childrenOf(node) ?? []
  const paths = children.map(({ path }) => path)
  if (new Set(paths).size < paths.length) return node.path
  return children.map(repeatedIn).find((found) => found !== undefined)
}
