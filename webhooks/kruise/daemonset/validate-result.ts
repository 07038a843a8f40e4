import type { Rule } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { caseOf } from './case.ts'
import { deepFindings } from './deep.ts'
import { resultsOf } from './results.ts'
import { type PatchRuleParts, patchRule } from './rule.ts'

/** What is wrong with the templates that the patches make. */
function resultRule(stated: PatchRuleParts): Rule<KubeObject> {
  return patchRule({ field: '[].patch', ...stated }, async (given, cluster) => {
    const { list } = caseOf(given)
    const { findings } = await resultsOf(given, cluster)
    return findings
      .filter(({ id }) => id === stated.id)
      .map(({ index, path, text, effect }) => ({
        path: `${list.at}[${index}].patch${path}`,
        value: text,
        ...(effect && { effect }),
      }))
  })
}

export const resultRules: readonly Rule<KubeObject>[] = [
  resultRule({
    id: 'PATCH-V-11',
    field: '[].patch.metadata.labels',
    says: ['patched labels no longer match spec.selector'],
    remedy: 'leave the labels of the selector as they are',
  }),
  resultRule({
    id: 'PATCH-V-14',
    says: ['directive <d> has no effect here: nothing there to apply it to'],
    remedy: 'take it away',
  }),
  resultRule({
    id: 'PATCH-V-17',
    says: ['cannot be applied: <message>'],
    remedy: 'see what kubectl patch --type strategic takes',
  }),
  resultRule({
    id: 'PATCH-V-18',
    says: ['a container needs an image', '<message>'],
    remedy: 'the result of the patch must be a valid pod template',
  }),
  resultRule({
    id: 'PATCH-V-21',
    field: '[].patch.spec.containers[]',
    says: ['container "<c>" is not in the template; a new container needs an image'],
    remedy: 'name one of the template, or give it an image',
  }),
  patchRule(
    {
      id: 'PATCH-V-20',
      field: '[].patch',
      says: ['<message>'],
      remedy: 'change the patch: the API server refuses such a pod template',
    },
    deepFindings,
  ),
]
