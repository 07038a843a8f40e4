import { type DraftChange, type Mutation, set } from '../../kit/admission.ts'
import type { TTree } from './schema.ts'

type TreeDraftChange = DraftChange<TTree>

export const mutations: readonly Mutation<TTree>[] = [
  {
    id: 'TR-M1',
    says: 'empties apps[].businessRef where it names no business',
    why: 'no business has that name',
    when: ({ next: { apps = [] } }) => apps.length > 0,
    edits: ({ next }) => [set('/apps', withoutDangling(next))],
  },
]

/** Leaves a missing ref alone, since the schema refuses it. */
function withoutDangling({ apps = [], businesses = [] }: TreeDraftChange['next']): TreeDraftChange['next']['apps'] {
  const known = new Set([undefined, '', ...businesses.map(({ name }) => name)])
  return apps.map((app) => (known.has(app.businessRef) ? app : { ...app, businessRef: '' }))
}
