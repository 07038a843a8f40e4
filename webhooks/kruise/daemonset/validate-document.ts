import type { Rule } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import type { CaseEntry } from './case.ts'
import type { PatchRuleParts } from './rule.ts'
import { entryRule } from './validate-list.ts'

const documentFaults =
  (id: string) =>
  ({ document }: CaseEntry) =>
    document.filter((found) => found.id === id).map(({ path, text }) => ({ path: `.patch${path}`, text }))

/** The rules on a patch that need no template. */
const documentRule = (parts: PatchRuleParts): Rule<KubeObject> =>
  entryRule({ field: '.patch', ...parts }, documentFaults(parts.id))

export const documentRules: readonly Rule<KubeObject>[] = [
  documentRule({
    id: 'PATCH-V-10',
    says: ['may not be set by a node patch: <why>'],
    remedy: 'set it in spec.template, or use a separate DaemonSet',
  }),
  documentRule({
    id: 'PATCH-V-12',
    says: ['unknown field "<f>"', 'unknown field "<f>", did you mean "<g>"'],
    remedy: 'write the fields of a pod template, in their case',
  }),
  documentRule({
    id: 'PATCH-V-13',
    says: [
      'the patch starts at the pod template; remove the level spec.template',
      'a patch has only metadata and spec',
    ],
    remedy: 'begin with metadata or spec of the pod template',
  }),
  documentRule({ id: 'PATCH-V-15', says: ['expected <type>, got <type>'], remedy: 'write a value of that type' }),
  documentRule({
    id: 'PATCH-V-16',
    says: ['missing merge key "<k>"'],
    remedy: 'name the element of the list that is meant',
  }),
]
