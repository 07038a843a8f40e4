import { LABELS } from '../names.ts'

/** What a node patch may not touch. */
export interface Ban {
  /** The field itself, but for the values that are allowed. */
  readonly why?: string
  readonly allows?: (value: unknown) => boolean
  /** The field as a whole: no null, and no directive that drops what it holds. */
  readonly whole?: string
  readonly within?: (key: string) => Ban | undefined
}

const DISCARDS = 'would discard the template; use a separate DaemonSet'
const SET_BY_OTHERS = 'set by owner or API server'
const IDENTITY = 'owner identity; selector keys must keep matching'
const BOOKKEEPING = 'bookkeeping'
const PLACEMENT = 'placement is decided before the patch'
const INVALID = 'not valid in a DaemonSet template'
const COMPUTED = 'computed; set priorityClassName / runtimeClassName'
const NOT_PER_NODE = 'not per node'

const OWNED_LABELS = [LABELS.revision, LABELS.generation, 'pod-template-hash', LABELS.lifecycle]
const OWNED_PREFIX = 'daemonset.kruise.io/'
const OWNED_ANNOTATIONS = [
  'apps.kruise.io/inplace-update-state',
  'apps.kruise.io/inplace-update-grace',
  'lifecycle.apps.kruise.io/timestamp',
]
const METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'ownerReferences',
  'managedFields',
]

/** Section 4.3 of the rules on node patches. */
export function bansOf(selectorKeys: readonly string[]): Ban {
  const identity = all([...OWNED_LABELS, ...selectorKeys], { why: IDENTITY })
  const bookkeeping = all(OWNED_ANNOTATIONS, { why: BOOKKEEPING })
  const metadata = new Map<string, Ban>([
    ...all(METADATA, { why: SET_BY_OTHERS }),
    ['labels', { whole: IDENTITY, within: (key) => identity.get(key) }],
    [
      'annotations',
      { whole: BOOKKEEPING, within: (key) => (key.startsWith(OWNED_PREFIX) ? BOOKS : bookkeeping.get(key)) },
    ],
  ])
  const root = new Map<string, Ban>([
    ['metadata', { whole: DISCARDS, within: (key) => metadata.get(key) }],
    ['spec', { whole: DISCARDS, within: (key) => SPEC.get(key) }],
  ])
  return { whole: DISCARDS, within: (key) => root.get(key) }
}

function all(names: readonly string[], ban: Ban): ReadonlyMap<string, Ban> {
  return new Map(names.map((name) => [name, ban]))
}

const BOOKS: Ban = { why: BOOKKEEPING }
const NODE_AFFINITY = all(['nodeAffinity'], { why: PLACEMENT })
const SPEC: ReadonlyMap<string, Ban> = new Map<string, Ban>([
  ...all(['nodeName', 'nodeSelector'], { why: PLACEMENT }),
  ['affinity', { whole: PLACEMENT, within: (key) => NODE_AFFINITY.get(key) }],
  ['restartPolicy', { why: INVALID, allows: (value) => value === 'Always' || value === null }],
  ...all(['activeDeadlineSeconds', 'ephemeralContainers'], { why: INVALID }),
  ...all(['priority', 'preemptionPolicy', 'overhead'], { why: COMPUTED }),
  ['serviceAccount', { why: 'deprecated alias; use serviceAccountName' }],
  ...all(['schedulingGroup', 'hostnameOverride'], { why: NOT_PER_NODE }),
])
