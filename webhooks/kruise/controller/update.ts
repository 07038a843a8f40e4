import { type DaemonPod, type NodeOfPods, type PodPair, pairOf } from './pods-of-nodes.ts'

/** One step of a rolling update. */
export interface UpdateStep {
  readonly remove: readonly DaemonPod[]
  /** Names of nodes that get a new pod beside their old one. */
  readonly create: readonly string[]
}
export interface Budget {
  readonly maxUnavailable: number
  readonly maxSurge: number
}
interface NodeInUpdate {
  readonly name: string
  readonly pair: PodPair | undefined
}

/** PATCH-CTL-17, over the nodes that the partition and the selector let go on. */
export function updateStep(nodes: readonly NodeOfPods[], { maxUnavailable, maxSurge }: Budget): UpdateStep {
  const inUpdate = nodes.map((node) => ({ name: node.name, pair: pairOf(node) }))
  return maxSurge > 0 ? surgeStep(inUpdate, maxSurge) : replaceStep(inUpdate, Math.max(1, maxUnavailable))
}

/** Old pods that are unavailable go at once and count against the budget, as in Kubernetes from 1.31. */
function replaceStep(nodes: readonly NodeInUpdate[], maxUnavailable: number): UpdateStep {
  const old = nodes.flatMap(({ pair }) => (isToBeReplaced(pair) ? [pair.oldPod] : []))
  const [down, up] = [old.filter(({ isAvailable }) => !isAvailable), old.filter(({ isAvailable }) => isAvailable)]
  const waiting = nodes.filter(({ pair }) => !isToBeReplaced(pair) && !isUpdated(pair)).length
  const left = Math.max(0, maxUnavailable - waiting - down.length)
  return { remove: [...down, ...up.slice(0, left)], create: [] }
}

const isToBeReplaced = (pair: PodPair | undefined): pair is PodPair & { readonly oldPod: DaemonPod } =>
  pair?.oldPod !== undefined && pair.newPod === undefined && isFree(pair.oldPod)
const isUpdated = (pair: PodPair | undefined) => pair?.oldPod === undefined && pair?.newPod?.isAvailable === true
const isFree = ({ isPreparingDelete }: DaemonPod) => !isPreparingDelete

/** A new pod comes beside the old one, and takes its place as soon as it is available. */
function surgeStep(nodes: readonly NodeInUpdate[], maxSurge: number): UpdateStep {
  const paired = nodes.filter(({ pair }) => pair?.oldPod !== undefined && isFree(pair.oldPod))
  const alone = paired.filter(({ pair }) => pair?.newPod === undefined)
  const [down, up] = [alone.filter((node) => !isOldUp(node)), alone.filter(isOldUp)]
  const both = paired.flatMap(({ pair }) => (pair?.newPod && pair.oldPod ? [[pair.newPod, pair.oldPod] as const] : []))
  const done = both.filter(([newPod]) => newPod.isAvailable && isFree(newPod))
  const surging = nodes.filter(({ pair }) => pair === undefined).length + both.length - done.length
  const left = Math.max(0, maxSurge - surging)
  return { remove: done.map(([, oldPod]) => oldPod), create: [...down, ...up.slice(0, left)].map(({ name }) => name) }
}

const isOldUp = ({ pair }: NodeInUpdate) => pair?.oldPod?.isAvailable === true
