import { expect } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { answered, MUTATING, patchIn } from '../../../support/answerer-parts.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TSERVER)
export const mutated = (body: unknown, ...there: readonly Built[]) =>
  answered(MUTATING, body, { readers: readersOf(...there) })

/** What becomes of an object on its way in, which must not change on another round. */
export async function made(object: unknown, ...there: readonly Built[]): Promise<Tree> {
  const { object: once } = await mutated(creationOf(object), ...there)
  const again = await mutated(creationOf(once), ...there)
  expect(patchIn(again)).toBeUndefined()
  return isTree(once) ? once : {}
}
export const partOf = (tree: Tree, ...steps: readonly string[]) =>
  steps.reduce<unknown>((part, step) => (isTree(part) ? part[step] : undefined), tree)
export const k8sMade = async (object: unknown) => partOf(await made(object), 'spec', 'k8s')

/** As an author writes it. */
export const aDraft = (spec: Tree = {}, metadata: Tree = {}): Tree => ({
  metadata: { name: 'demo-echo', ...metadata },
  spec: { app: 'Demo', server: 'Echo', subType: 'tars', tars: { template: 'base', servants: [] }, k8s: {}, ...spec },
})
export const aNormalDraft = (spec: Tree = {}, metadata: Tree = {}): Tree => ({
  metadata: { name: 'demo-echo', ...metadata },
  spec: { app: 'Demo', server: 'Echo', subType: 'normal', normal: { ports: [] }, k8s: {}, ...spec },
})

export const LABELS = {
  'tars.io/ServerApp': 'Demo',
  'tars.io/ServerName': 'Echo',
  'tars.io/SubType': 'tars',
  'tars.io/Template': 'base',
}
