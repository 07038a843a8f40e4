import type { Words } from '../../../src/cluster/port.ts'
import { type Explained, explained } from '../../../webhooks/kruise/explain/explain.ts'
import { aRollout, LARGE, MOMENT } from './rollouts.ts'

type RolloutWishes = NonNullable<Parameters<typeof aRollout>[0]>
export const NODES: Readonly<Record<string, Words>> = { n1: { disk: 'large' }, n2: { disk: 'large' }, n3: {} }

/** Of a DaemonSet with a patch for large disks, on two Nodes that have one and one that has none. */
export function anExplanation(wishes: RolloutWishes = {}) {
  return explained(toExplain(wishes))
}

export function toExplain(wishes: RolloutWishes = {}): Explained {
  const nodes = Object.entries(wishes.nodes ?? NODES).map(([name, labels]) => ({ metadata: { name, labels } }))
  const { of, daemonSet, pods } = aRollout({ list: [LARGE], nodes: NODES, ...wishes })
  return { of, daemonSet, pods, nodes, at: new Date(MOMENT) }
}

/** A patch of the container, for Nodes with this label and value. */
export const patchFor = (label: string, value: string, container: object, priority = 0) => ({
  selector: { matchLabels: { [label]: value } },
  patch: { spec: { containers: [{ name: 'agent', ...container }] } },
  priority,
})
