import type { Key, TwoStates } from '../../kit/controller.ts'
import type { KubeObject, Words } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET } from '../daemonsets.ts'
import { readingOf } from '../list/reading.ts'
import { specOf } from '../list/touched.ts'
import { tolerationsIn } from './daemon-pod.ts'
import { fitnessOf, taintsOf } from './fitness.ts'
import { isSelectedBy } from './strategy.ts'

/** The DaemonSets for which a Node differs between its two states (PATCH-CTL-21). */
export function wakenByNode({ before, now }: TwoStates, own: () => readonly KubeObject[]): readonly Key[] {
  const concerned = own().filter((daemonSet) => matterOf(daemonSet, before) !== matterOf(daemonSet, now))
  return concerned.map(({ metadata: { namespace = '', name } }) => ({ namespace, name }))
}

/** All of a Node that matters to a DaemonSet, as text: none where there is no Node. */
function matterOf(daemonSet: KubeObject, node: KubeObject | undefined): string {
  if (node === undefined || !KRUISE_DAEMONSET.isDraft(daemonSet)) return ''
  const labels: Words = node.metadata.labels ?? {}
  const reading = readingOf(daemonSet)
  const spec = specOf(reading.template)
  const traits = { name: node.metadata.name, labels, taints: taintsOf({ ...node }) }
  const fitness = fitnessOf(spec, tolerationsIn(spec), traits)
  return JSON.stringify([fitness, reading.choiceFor(labels).component, isSelectedBy(daemonSet, labels)])
}
