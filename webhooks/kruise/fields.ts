import { anyObject, atomic, integer, list, map, object, text } from '../kit/schema.ts'

export const labels = map(text({ doc: 'Value.', maxLength: 63 }), { doc: 'Labels that must be there.' })
const requirement = object(
  {
    key: text({ doc: 'Key of a label.', maxLength: 317 }),
    operator: text({ doc: 'In, NotIn, Exists or DoesNotExist.', maxLength: 12 }),
  },
  { values: list(text({ doc: 'Value of the label.', maxLength: 63 }), { doc: 'Values for In and NotIn.' }) },
)
export const selector = (doc: string) =>
  atomic(object({}, { matchLabels: labels, matchExpressions: list(requirement, { doc: 'All of them are met.' }) }, doc))
const patch = object(
  {
    selector: selector('The nodes, by their labels.'),
    patch: anyObject({ doc: 'A strategic merge patch of the pod template.' }),
  },
  {
    priority: integer({
      doc: 'A patch of higher priority is applied later.',
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
    }),
  },
)
export const patches = atomic(
  list(patch, { doc: 'Patches for the pods of nodes that their selectors match.', maxItems: 10 }),
)
