import { dropLabel, label, type Mutation } from '../../kit/admission.ts'
import { LABELS } from '../names.ts'
import type { TTemplate } from './schema.ts'
import { isRoot } from './shape.ts'

export const mutations: readonly Mutation<TTemplate>[] = [
  {
    id: 'TT-M1',
    says: `sets label ${LABELS.parent} to spec.parent, unless the template is its own parent; removes it where that cannot be a label`,
    why: 'it mirrors spec.parent',
    when: ({ next }) => !isRoot(next),
    edits: ({ next }) => [label(LABELS.parent, next.spec?.parent || undefined)],
  },
  {
    id: 'TT-M2',
    says: `removes label ${LABELS.parent} from a template that is its own parent`,
    why: 'a root template has no parent',
    when: ({ next }) => isRoot(next),
    edits: () => [dropLabel(LABELS.parent)],
  },
]
