import type { KubeObject } from '../../src/cluster/port.ts'
import { readingOf } from '../../webhooks/kruise/list/reading.ts'
import { rolloutControllers } from '../../webhooks/kruise/rollout/reconcile.ts'
import { daemonSetOf, nodeOf, patchOf } from './patched-nodes.ts'
import type { Measurement } from './setting.ts'
import { spreadOf } from './table.ts'

const NODES = 5_000
const DAEMONSETS = 100
const PATCHES = 10
const ZONES = 8
const EVENTS = 50

/** Which patches apply where, in this process: for all Nodes at once, and as the worker asks when a Node changes. */
export const nodeMatching: Measurement = {
  ids: ['PATCH-T-42'],
  async measure({ quick }) {
    const rounds = quick ? 3 : 9
    const nodes = Array.from({ length: NODES }, (_, i) => labelled(i))
    const measured: Record<'cold' | 'event', number[]> = { cold: [], event: [] }
    for (let round = 0; round < rounds; round += 1) {
      const daemonSets = Array.from({ length: DAEMONSETS }, (_, i) => daemonSetAt(i))
      measured.cold.push(timeOf(() => matched(daemonSets, nodes)))
      for (let i = 0; i < EVENTS; i += 1) measured.event.push(timeOf(() => woken(daemonSets, i)))
    }
    const what = `${NODES} Nodes with 40 labels, ${DAEMONSETS} DaemonSets of ${PATCHES} patches`
    return [
      {
        id: 'PATCH-T-42',
        what: `which patches apply, for all of ${what}, nothing known before`,
        goal: '≤ 3 s',
        measured: spreadOf(measured.cold, 0, ' ms'),
        beside: '',
      },
      {
        id: 'PATCH-T-42',
        what: `one Node of them gets another label: which DaemonSets are concerned`,
        goal: '≤ 5 ms',
        measured: spreadOf(measured.event, 3, ' ms'),
        beside: '',
      },
    ]
  },
}

const labelled = (i: number, more: Readonly<Record<string, string>> = {}) =>
  nodeOf(i, { disk: i % 2 ? 'large' : 'small', zone: `zone-${i % ZONES}`, ...more })

/** Each entry asks for something else. */
function daemonSetAt(i: number): KubeObject {
  const list = Array.from({ length: PATCHES }, (_, at) => ({
    selector: {
      matchLabels: { disk: at % 2 ? 'large' : 'small' },
      matchExpressions: [
        { key: 'zone', operator: 'In', values: [`zone-${(i + at) % ZONES}`, `zone-${at % ZONES}`] },
        { key: `example.com/label-${at}`, operator: 'Exists' },
      ],
    },
    patch: patchOf(at),
  }))
  return daemonSetOf(list, `agent-${i}`)
}

function matched(daemonSets: readonly KubeObject[], nodes: readonly KubeObject[]): void {
  for (const daemonSet of daemonSets) {
    const { choiceFor } = readingOf(daemonSet)
    for (const { metadata } of nodes) choiceFor(metadata.labels)
  }
}

const watch = rolloutControllers.flatMap(({ watches }) => watches).find(({ resource }) => resource.kind === 'Node')

function woken(daemonSets: readonly KubeObject[], i: number): void {
  const states = { before: labelled(i), now: labelled(i, { zone: `zone-${(i + 1) % ZONES}` }) }
  const keys = watch?.wakesOnChange?.(states, () => daemonSets) ?? []
  if (keys.length === 0) throw new Error('no DaemonSet is concerned')
}

function timeOf(work: () => void): number {
  const before = performance.now()
  work()
  return performance.now() - before
}
