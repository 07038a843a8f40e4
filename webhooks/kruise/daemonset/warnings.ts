import type { Labels } from '../../../src/kube/labels.ts'
import { isMoreThan } from '../../../src/kube/quantities.ts'
import { selects } from '../../../src/kube/selectors.ts'
import { isSame, valueAt } from '../../kit/admission.ts'
import type { KubeObject, Tree } from '../../kit/schema.ts'
import type { Entry } from '../list/entry.ts'
import { canMeet } from '../list/overlap.ts'
import { needsLimit } from '../list/patched.ts'
import { CARRIERS } from '../list/read.ts'
import { CONTAINERS, specOf, treeIn, treesIn, valueIn } from '../list/touched.ts'
import { bothSet } from '../template/leaves.ts'
import { repeated } from '../template/problem.ts'
import { grantsIn, ownLabel } from './security.ts'

/** What a warning about an entry is decided by. */
export interface WarningSight {
  readonly daemonSet: KubeObject
  /** Where the list stands. */
  readonly at: string
  readonly template: Tree
  readonly entries: readonly Entry[]
  readonly nodes: readonly Labels[]
  /** What the entry alone makes of the template; absent if it cannot be merged. */
  readonly resultOf: (entry: Entry) => Tree | undefined
}
export interface EntryWarning {
  readonly path: string
  readonly text: string
}
export type EntryWarnings = (entry: Entry, sight: WarningSight) => readonly EntryWarning[]

const inPatch = (text: string, path = ''): readonly EntryWarning[] => [{ path: `.patch${path}`, text }]
const when = (isSo: boolean, text: string, path = '') => (isSo ? inPatch(text, path) : [])

export const sameLeaf: EntryWarnings = (entry, { entries }) =>
  entries
    .filter(({ index, priority }) => index < entry.index && priority === entry.priority)
    .filter(({ selector = {} }) => canMeet(selector, entry.selector ?? {}))
    .flatMap((earlier) => {
      const leaf = bothSet(earlier.patch, entry.patch)
      return leaf === undefined ? [] : inPatch(`overrides entry ${earlier.index} of the same priority`, leaf)
    })

export const nulls: EntryWarnings = ({ patch }, { at }) =>
  when(at === CARRIERS.field && hasNull(patch), 'kubectl apply drops a null here')

function hasNull(value: unknown): boolean {
  if (typeof value !== 'object') return false
  return value === null || Object.values(value).some(hasNull)
}

/** SMP-TRAP-2 */
export const repeatedKeys: EntryWarnings = ({ patch }, { template }) => {
  const [spec, patched] = [specOf(template), specOf(patch)]
  const spread = 'topologySpreadConstraints'
  const inSpec = Object.hasOwn(patched, spread) && isRepeated(spec, spread, 'topologyKey') ? [spread] : []
  const inContainers = CONTAINERS.flatMap((list) =>
    treesIn(patched, list)
      .filter((each) => Object.hasOwn(each, 'ports'))
      .flatMap(({ name }) => treesIn(spec, list).filter((each) => each.name === name))
      .filter((each) => isRepeated(each, 'ports', 'containerPort'))
      .map(() => `${list}[].ports`),
  )
  const text = 'two elements of the template have one key; the first is patched'
  return [...inSpec, ...inContainers].flatMap((field) => inPatch(text, `.spec.${field}`))
}
const isRepeated = (holder: Tree, list: string, key: string) =>
  repeated(treesIn(holder, list), (each) => each[key]).length > 0

export const inPlace: EntryWarnings = ({ patch }, { daemonSet }) => {
  const type = valueAt(daemonSet, 'spec.updateStrategy.rollingUpdate.rollingUpdateType')
  const setsImage = CONTAINERS.flatMap((list) => treesIn(specOf(patch), list)).some(
    ({ image }) => typeof image === 'string',
  )
  return when(type === 'InPlaceIfPossible' && setsImage, 'an in-place update sets the image of the template', '.spec')
}

export const noNode: EntryWarnings = ({ selector = {} }, { nodes }) =>
  nodes.some((labels) => selects(selector, labels)) ? [] : [{ path: '.selector', text: 'matches no current node' }]

export const noChange: EntryWarnings = (entry, { template, resultOf }) => {
  const result = resultOf(entry)
  return when(result !== undefined && isSame(result, template), 'changes nothing on the template')
}

export const selfChosen: EntryWarnings = (entry) => {
  const [grants, label] = [grantsIn(entry.patch), ownLabel(entry)]
  if (grants.length === 0 || label === undefined) return []
  return inPatch(`grants ${grants.join(', ')}; a node can label itself ${label}`)
}

export const atomic: EntryWarnings = ({ patch }) =>
  ['tolerations', 'readinessGates']
    .filter((key) => Array.isArray(valueIn(specOf(patch), key)))
    .flatMap((key) => inPatch('replaces the list; those of the owner are added back', `.spec.${key}`))

/** The same place in a patch, in the template and in the result. */
interface Holders {
  readonly path: string
  readonly own: Tree
  readonly before: Tree
  readonly after: Tree
}

const podOf = ({ patch }: Entry, template: Tree, result: Tree): Holders => ({
  path: '.spec',
  own: specOf(patch),
  before: specOf(template),
  after: specOf(result),
})

/** The containers of a patch, each with that of the same name in the template and in the result. */
function containersOf(entry: Entry, template: Tree, result: Tree): readonly Holders[] {
  const { own, before, after } = podOf(entry, template, result)
  const named = (spec: Tree, list: string, name: unknown) =>
    treesIn(spec, list).find((each) => each.name === name) ?? {}
  return CONTAINERS.flatMap((list) =>
    treesIn(own, list).map((each, i) => ({
      path: `.spec.${list}[${i}]`,
      own: each,
      before: named(before, list, each.name),
      after: named(after, list, each.name),
    })),
  )
}
const quantitiesOf = (holder: Tree) => {
  const resources = treeIn(holder, 'resources')
  const [requests, limits] = [treeIn(resources, 'requests'), treeIn(resources, 'limits')]
  return { requests, limits, asked: { ...limits, ...requests } } // without a request the limit is one
}

export const moreRequested: EntryWarnings = (entry, { template, resultOf }) => {
  const result = resultOf(entry) ?? template
  const holders = [podOf(entry, template, result), ...containersOf(entry, template, result)]
  return holders.flatMap(({ path, ...of }) => {
    const [before, after] = [quantitiesOf(of.before), quantitiesOf(of.after)]
    const raised = Object.keys(after.asked).filter((name) => isMoreThan(after.asked[name], before.asked[name] ?? '0'))
    const where = raised.some((name) => Object.hasOwn(after.requests, name)) ? 'requests' : 'limits'
    const text = `raises ${raised.join(', ')}; autoscalers size nodes by the template`
    return when(raised.length > 0, text, `${path}.resources.${where}`)
  })
}

export const filledLimit: EntryWarnings = (entry, { template }) =>
  containersOf(entry, template, template).flatMap(({ path, ...of }) => {
    const [own, before] = [quantitiesOf(of.own), quantitiesOf(of.before)]
    const names = Object.keys(own.requests).filter(needsLimit)
    const filled = names.filter((name) => !Object.hasOwn(own.limits, name) && !Object.hasOwn(before.limits, name))
    return when(filled.length > 0, `the limit of ${filled.join(', ')} will be filled`, `${path}.resources.requests`)
  })
