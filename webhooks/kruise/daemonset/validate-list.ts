import { type Finding, type Findings, isSame, type Rule } from '../../kit/admission.ts'
import { isTree, type KubeObject } from '../../kit/schema.ts'
import { entryFaults } from '../list/entry.ts'
import { MOST_BYTES, MOST_ENTRIES } from '../list/limits.ts'
import { CARRIERS, listInAnnotation, listInField } from '../list/read.ts'
import { isEmptySelector, selectorFaults } from '../list/selector.ts'
import { type Case, type CaseEntry, caseOf, type DaemonSetWrite } from './case.ts'
import { keyOf } from './keys.ts'
import { effectIn, type PatchRuleParts, patchRule } from './rule.ts'

/** What is wrong with an entry, and where in it. */
interface EntryFinding {
  readonly path: string
  readonly text: string
}

/** Asks of each entry. What an entry brings along from the old object warns (PATCH-RAT-2). */
export function entryRule(
  stated: PatchRuleParts,
  faultsOf: (entry: CaseEntry) => readonly EntryFinding[],
): Rule<KubeObject> {
  const field = `[]${stated.field ?? ''}`
  return patchRule({ ...stated, field }, (given) =>
    caseOf(given).entries.flatMap((entry) => {
      const effect: Pick<Finding, 'effect'> = entry.carried ? { effect: 'warn' } : effectIn(given)
      return faultsOf(entry).map(({ path, text }) => ({ path: `${entry.path}${path}`, value: text, ...effect }))
    }),
  )
}

/** PATCH-V-01: only what says something can differ. */
function differing({ next }: DaemonSetWrite): Findings {
  const [field, annotation] = [listInField(next), listInAnnotation(next)]
  if (field.items.length === 0 || annotation.items.length === 0) return []
  if (keyOf(field.items) === keyOf(annotation.items)) return []
  return [{ path: CARRIERS.annotation, value: 'differs from spec.patches; use only one of them' }]
}

function unreadable(given: DaemonSetWrite): Findings {
  const lists = [listInField(given.next), listInAnnotation(given.next)]
  return lists.flatMap(({ at, problem }) =>
    problem === undefined ? [] : [{ path: at, value: `not a JSON array: ${problem}`, ...effectIn(given) }],
  )
}

/**
 * PATCH-V-03, and PATCH-RAT-2: a list that was too long may stay as long. One that is too long to be judged whole may not
 * meet another template (PATCH-RAT-3).
 */
function tooMany({ list, entries, isCarried, template, selector, before }: Case): Findings {
  const count = list.items.length
  if (count <= MOST_ENTRIES) return []
  const isJudged =
    entries.length === count || (isSame(before?.template, template) && isSame(before?.selector, selector))
  const isOld = before !== undefined && count <= before.count && isCarried && isJudged
  const value = `too many patches: ${count}, at most ${MOST_ENTRIES} are allowed`
  return [{ path: list.at, value, ...(isOld && { effect: 'warn' }) }]
}

const faultsWith =
  (id: string) =>
  ({ item }: CaseEntry) =>
    entryFaults(item).filter((fault) => fault.id === id)
const selectorOf = ({ item }: CaseEntry) => (isTree(item) && isTree(item.selector) ? item.selector : undefined)

function tooLarge({ bytes }: CaseEntry): readonly EntryFinding[] {
  const text = `patch is ${bytes} bytes as compact JSON, at most ${MOST_BYTES} are allowed`
  return bytes > MOST_BYTES ? [{ path: '.patch', text }] : []
}

/** One with a misspelt field is not meant to be empty (PATCH-V-06). */
function emptySelector(entry: CaseEntry): readonly EntryFinding[] {
  if (faultsWith('PATCH-V-06')(entry).length > 0) return []
  const selector = selectorOf(entry)
  const text = 'empty selector; to change every node edit spec.template'
  return selector !== undefined && isEmptySelector(selector) ? [{ path: '.selector', text }] : []
}

export const listRules: readonly Rule<KubeObject>[] = [
  patchRule(
    {
      id: 'PATCH-V-01',
      says: ['differs from spec.patches; use only one of them'],
      remedy: 'take the annotation away where spec.patches is kept',
    },
    differing,
  ),
  patchRule(
    {
      id: 'PATCH-V-02',
      evenGateOff: true,
      says: ['not a JSON array: <message>'],
      remedy: 'write a JSON array, no YAML, each key once',
    },
    unreadable,
  ),
  patchRule(
    {
      id: 'PATCH-V-03',
      says: ['too many patches: <n>, at most 10 are allowed'],
      remedy: 'join those with one selector, or use a second DaemonSet',
    },
    (given) => tooMany(caseOf(given)),
  ),
  entryRule(
    {
      id: 'PATCH-V-04',
      evenGateOff: true,
      says: [
        'unknown field "<f>"; allowed: selector, patch, priority',
        'expected an object',
        'nested deeper than 200 levels',
      ],
      remedy: 'write an object with selector and patch',
    },
    faultsWith('PATCH-V-04'),
  ),
  entryRule(
    {
      id: 'PATCH-V-05',
      field: '.patch',
      says: ['patch is <n> bytes as compact JSON, at most 1024 are allowed'],
      remedy: 'move what all nodes share to spec.template, or the values to a ConfigMap',
    },
    tooLarge,
  ),
  entryRule(
    {
      id: 'PATCH-V-06',
      field: '.selector',
      says: ['selector is required', 'unknown field "<f>"; allowed: matchLabels, matchExpressions'],
      remedy: 'select nodes by matchLabels or matchExpressions',
    },
    faultsWith('PATCH-V-06'),
  ),
  entryRule(
    {
      id: 'PATCH-V-07',
      field: '.selector',
      says: ['empty selector; to change every node edit spec.template'],
      remedy: 'or name a label of the nodes',
    },
    emptySelector,
  ),
  entryRule(
    {
      id: 'PATCH-V-08',
      field: '.selector',
      says: ['<message>', 'operator Gt is not a label selector operator'],
      remedy: 'write it like the selector of a Deployment',
    },
    (entry) => selectorFaults(selectorOf(entry) ?? {}),
  ),
  entryRule(
    {
      id: 'PATCH-V-09',
      field: '.priority',
      says: ['must be an integer between -2147483648 and 2147483647'],
      remedy: 'take a whole number, or leave it out',
    },
    faultsWith('PATCH-V-09'),
  ),
  entryRule(
    {
      id: 'PATCH-V-19',
      field: '.patch',
      says: ['number out of range'],
      remedy: 'write it as a string, or take a smaller one',
    },
    ({ huge }) => huge.map(({ path }) => ({ path: `.patch${path}`, text: 'number out of range' })),
  ),
]
