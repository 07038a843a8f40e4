import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { CONFIG_MAP } from '../../../../webhooks/nacos/kubernetes.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'
import { type Around, aConfigMap, wordsTo } from '../nacos/admitting.ts'

const { updateOf, deletionOf } = reviewsOf(CONFIG_MAP)
export const SOURCE = { 'nacos.io/config-role': 'source' }

export const aSource = (name: string, data: Tree, annotations: Tree = {}) =>
  aConfigMap(name, data, { labels: SOURCE, annotations })

/** What the author of a ConfigMap reads, a line each. */
export async function onChange(prev: Built, next: Built, around: Around & Sent = {}): Promise<readonly string[]> {
  return (await wordsTo(updateOf(prev, next, around), around)).split('\n')
}
export async function onDelete(prev: Built, around: Around & Sent = {}): Promise<readonly string[]> {
  return (await wordsTo(deletionOf(prev, around), around)).split('\n')
}
