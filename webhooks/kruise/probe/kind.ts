import {
  type DraftChange,
  defineKind,
  isSame,
  type Kind,
  type Mutation,
  type RuleWords,
  valueAt,
} from '../../kit/admission.ts'
import { isTree, type KubeObject, object, resource } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../daemonsets.ts'
import { MUTATE_SPEC } from '../doors.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { SUPPORT } from './probe.ts'

const PATH = 'spec.patches'

const stripped: RuleWords = {
  id: 'PATCH-API-9',
  on: 'write',
  field: PATH,
  message: () => "this cluster's Kruise manager would drop this field",
  remedy: `put the list in annotation ${ANNOTATIONS.patches}, or upgrade`,
}

/**
 * The webhook of OpenKruise comes later and drops the field without a word, so the request is refused before. The copy
 * into the annotation is not made here: once the field is dropped, a later request without it cannot be told apart from
 * a person who removes it, and outdated patches would stay (PATCH-API-11).
 */
const refusal: Mutation<KubeObject> = {
  id: 'PATCH-API-9',
  says: '`spec.patches` is refused where this cluster would drop it; nothing is changed',
  refuses: stripped,
  when: (given) => isNew(given) && !isProbe(given),
  edits({ facts, next }) {
    const result = facts.get(SUPPORT)[versionOf(next)]
    if (result === 'stripped') return { refuse: stripped, findings: [{ path: PATH }] }
    return result === 'unknown' ? { edits: [], warnings: [UNKNOWN] } : []
  },
}
const UNKNOWN = `${PATH}: it is not known whether this cluster keeps it; ask daemonset-patches crd-check (PATCH-API-9)`

/** A list that is stored has been kept so far, and its DaemonSet must stay changeable: by its own controller, too. */
function isNew({ next, prev }: DraftChange<KubeObject>): boolean {
  const patches = valueAt(next, PATH)
  if (!Array.isArray(patches) || patches.length === 0) return false
  return prev === undefined || !isSame(valueAt(prev, PATH), patches)
}

/** Else it would find out what it says itself. */
function isProbe({ next, user, dryRun }: DraftChange<KubeObject>): boolean {
  const labels = valueAt(next, 'metadata.labels')
  return dryRun && user.among.includes('CTRL') && isTree(labels) && labels[LABELS.probe] !== undefined
}

const versionOf = (object: unknown) => String(valueAt(object, 'apiVersion')).replace(/^.*\//, '')

const mutations = [refusal]
/** PATCH-API-9 */
export const specGuards: readonly Kind[] = [KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA].map((names) =>
  defineKind({ resource: resource(names, object({})), doors: [MUTATE_SPEC], mutate: mutations }),
)
