import { type Mutation, type Rule, set } from '../../kit/admission.ts'
import { flawOfService } from '../origin-checks.ts'
import { fixed, goodFor } from '../rules.ts'
import type { Tunnel } from './schema.ts'

export const mutations: readonly Mutation<Tunnel>[] = [
  {
    id: 'CF-M-01',
    says: 'sets spec.newTunnel.name to the name of the object where neither newTunnel nor existingTunnel is there',
    when: ({ next: { spec } }) => spec?.newTunnel === undefined && spec?.existingTunnel === undefined,
    edits: ({ next }) => {
      const name = next.metadata?.name
      const newTunnel = { name }
      if (name === undefined) return []
      return [next.spec === undefined ? set('/spec', { newTunnel }) : set('/spec/newTunnel', newTunnel)]
    },
  },
]

export const rules: readonly Rule<Tunnel>[] = [
  {
    id: 'CF-V-07',
    field: 'spec.existingTunnel',
    on: 'write',
    check: ({ next: { spec } }) =>
      spec?.newTunnel !== undefined && spec.existingTunnel !== undefined ? [{ path: 'spec.existingTunnel' }] : [],
    message: () => 'stands beside spec.newTunnel: a tunnel is either made or there',
    remedy: 'leave out one of the two',
  },
  fixed(({ status }) => status?.tunnelId, {
    'spec.newTunnel.name': ({ metadata, spec }) =>
      spec?.existingTunnel ? undefined : spec?.newTunnel?.name || metadata.name,
  }),
  goodFor('spec.fallbackTarget', ({ spec }) => [
    { path: 'spec.fallbackTarget', value: spec?.fallbackTarget, check: flawOfService },
  ]),
]
