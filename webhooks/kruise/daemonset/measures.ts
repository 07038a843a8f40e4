import { type RuleWords, valueAt } from '../../kit/admission.ts'
import { type ErrorReason, failure } from '../metrics.ts'

/** The reasons of the metric; of all other rules `parse`: the document is not one that can be understood. */
const REASONS: Readonly<Record<string, ErrorReason>> = {
  'PATCH-V-03': 'too_large',
  'PATCH-V-05': 'too_large',
  'PATCH-V-06': 'bad_selector',
  'PATCH-V-07': 'bad_selector',
  'PATCH-V-08': 'bad_selector',
  'PATCH-V-11': 'selector_mismatch',
  'PATCH-V-17': 'merge',
  'PATCH-V-18': 'invariant',
  'PATCH-V-20': 'api',
  'PATCH-V-21': 'invariant',
}

/** Each finding that refuses is one error of the DaemonSet. */
export function measuresOf(id: string): NonNullable<RuleWords['measures']> {
  return (_, { object, namespace }) => {
    const [group = ''] = textAt(object, 'apiVersion').split('/')
    const of = { group, namespace, daemonset: textAt(object, 'metadata.name') }
    return [failure('validate', REASONS[id] ?? 'parse', of)]
  }
}

function textAt(object: unknown, path: string): string {
  const value = valueAt(object, path)
  return typeof value === 'string' ? value : ''
}
