import { drop, type Mutation, set } from '../../kit/admission.ts'
import { KEYS } from '../names.ts'
import type { Nacos } from './schema.ts'
import { OWNERS, refField } from './shape.ts'

/** The type comes before the replicas, which follow from it. Nothing else is filled in (NC-ADM-09). */
export const mutations: readonly Mutation<Nacos>[] = [
  {
    id: 'NC-ADM-05',
    says: 'moves spec.k8sWrapper.podSpec to PodSpec, where that is absent',
    when: ({ next }) => next.spec?.k8sWrapper?.podSpec !== undefined && next.spec.k8sWrapper.PodSpec === undefined,
    edits: ({ next }) => ({
      edits: [set('/spec/k8sWrapper/PodSpec', next.spec?.k8sWrapper?.podSpec), drop('/spec/k8sWrapper/podSpec')],
      warnings: [],
    }),
  },
  {
    id: 'NC-ADM-06',
    says: 'sets spec.type to standalone, where it is missing or empty',
    when: ({ next }) => !next.spec?.type,
    edits: () => [set('/spec/type', 'standalone')],
  },
  {
    id: 'NC-ADM-07',
    says: 'sets spec.replicas where it is missing: on create to 1, or 3 of a cluster, on update to what it was',
    when: ({ next }) => next.spec?.replicas === undefined,
    edits: ({ next, prev }) => {
      const usual = next.spec?.type === 'cluster' ? 3 : 1
      const replicas = prev === undefined ? usual : prev.spec?.replicas
      return replicas === undefined ? [] : [set('/spec/replicas', replicas)]
    },
  },
  {
    id: 'NC-ADM-08',
    says: `sets the key of a named source where it is missing: ${KEYS.user}, or ${KEYS.internal}`,
    edits: ({ next }) =>
      OWNERS.filter((owner) => next.spec?.[refField(owner)]?.name && !next.spec[refField(owner)]?.key).map((owner) =>
        set(`/spec/${refField(owner)}/key`, KEYS[owner]),
      ),
  },
]
