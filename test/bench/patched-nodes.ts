import type { Built } from '../../src/cluster/port.ts'
import { ANNOTATIONS } from '../../webhooks/kruise/names.ts'
import { recorded, withAnnotations } from '../support/daemonset-pods.ts'

const PATCH_BYTES = 1_024

/** A Node with 40 labels. */
export function nodeOf(i: number, labels: Readonly<Record<string, string>> = { disk: 'large' }): Built {
  const more = Array.from({ length: 39 - Object.keys(labels).length }, (_, label): [string, string] => [
    `example.com/label-${label}`,
    `value-${label}`,
  ])
  const all = { ...labels, 'kubernetes.io/hostname': `node-${i}`, ...Object.fromEntries(more) }
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${i}`, labels: all } }
}

/** Variables, labels, resources and a volume, up to the limit. */
export function patchOf(i: number): object {
  const patch = (filling: string) => ({
    metadata: { labels: { [`tier-${i}`]: 'large' } },
    spec: {
      containers: [
        { name: 'agent', env: [{ name: `DISK_${i}`, value: filling }], resources: { limits: { cpu: String(i) } } },
      ],
      volumes: [{ name: `data-${i}`, hostPath: { path: `/data/${i}` } }],
    },
  })
  return patch('x'.repeat(PATCH_BYTES - JSON.stringify(patch('')).length))
}

export const listOf = (patches: number, selector: object = { matchLabels: { disk: 'large' } }) =>
  Array.from({ length: patches }, (_, i) => ({ selector, patch: patchOf(i) }))

/** The recorded one of Kubernetes' own controller, with a list. */
export function daemonSetOf(list: readonly object[], name = 'native'): Built {
  const { daemonSet } = recorded('native')
  const { metadata } = daemonSet
  const of = { ...daemonSet, metadata: { ...metadata, name, uid: name === 'native' ? (metadata.uid ?? '') : name } }
  return withAnnotations(of, { [ANNOTATIONS.patches]: JSON.stringify(list) })
}
