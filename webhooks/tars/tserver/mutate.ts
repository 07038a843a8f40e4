import {
  type Advice,
  type DraftChange,
  drop,
  dropLabel,
  type Edit,
  type Finding,
  label,
  type Mutation,
  type Refusal,
  set,
} from '../../kit/admission.ts'
import type { ClusterReader, Draft } from '../../kit/schema.ts'
import { ANNOTATIONS, FRAMEWORK_NAME, LABELS, READINESS_GATE } from '../names.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { boundsOf, illegalBounds, NO_RELEASE, TOO_FEW, TOO_MANY } from './bounds.ts'
import type { TServer } from './schema.ts'
import { isTars, needsNodeOfItsOwn } from './shape.ts'
import { LEGAL_BOUNDS, NODE_IMAGE } from './validate.ts'

type Server = Draft<TServer>

const isOfTars = ({ next: { spec = {} } }: DraftChange<TServer>) => isTars(spec)
const isOther = (given: DraftChange<TServer>) => !isOfTars(given)
const isReleased = ({ next }: DraftChange<TServer>) => next.spec?.release !== undefined
const labelled = (key: string, value: string | undefined) => label(key, value || undefined) // the schema refuses an empty one

const NO_SERVER_ID: Edit = { ...dropLabel(LABELS.serverId), why: 'this version of the API has no such label' }

/** Bounds are checked before they apply, and they apply only to a released server: without a release no pod runs. */
export const mutations: readonly Mutation<TServer>[] = [
  {
    id: 'TS-M1',
    says: `sets label ${LABELS.app} to spec.app`,
    why: 'it mirrors spec.app',
    edits: ({ next }) => [labelled(LABELS.app, next.spec?.app)],
  },
  {
    id: 'TS-M2',
    says: `sets label ${LABELS.server} to spec.server`,
    why: 'it mirrors spec.server',
    edits: ({ next }) => [labelled(LABELS.server, next.spec?.server)],
  },
  {
    id: 'TS-M3',
    says: `sets label ${LABELS.subType} to spec.subType`,
    why: 'it mirrors spec.subType',
    edits: ({ next }) => [labelled(LABELS.subType, next.spec?.subType)],
  },
  {
    id: 'TS-M4',
    says: `sets label ${LABELS.template} of a tars server to spec.tars.template; removes it from any other, and where that cannot be a label`,
    why: 'it mirrors spec.tars.template',
    edits: (given) =>
      isOfTars(given) ? [labelled(LABELS.template, given.next.spec?.tars?.template)] : [dropLabel(LABELS.template)],
  },
  {
    id: 'TS-M5',
    says: `sets spec.k8s.readinessGate of a tars server to ${READINESS_GATE}, whatever it was`,
    why: 'a tars server has this gate',
    when: isOfTars,
    edits: () => [set('/spec/k8s/readinessGate', READINESS_GATE)],
  },
  {
    id: 'TS-M6',
    says: `sets spec.k8s.replicas to 0 where there is no release, and removes label ${LABELS.serverId}`,
    why: NO_RELEASE,
    edits: (given) => [NO_SERVER_ID, ...(isReleased(given) ? [] : [set('/spec/k8s/replicas', 0)])],
  },
  {
    id: 'TS-M7',
    says: 'sets spec.k8s.notStacked where there are hostPorts or hostIPC: two pods of one node would collide',
    why: 'hostPorts and hostIPC take a node each',
    when: ({ next: { spec = {} } }) => needsNodeOfItsOwn(spec),
    edits: () => [set('/spec/k8s/notStacked', true)],
  },
  {
    id: 'TS-M10',
    says: 'refuses replica bounds that are new and illegal (TS-V20), and ignores those that stood there before, with a warning',
    refuses: LEGAL_BOUNDS,
    edits: judgedBounds,
  },
  {
    id: 'TS-M9',
    says: `raises spec.k8s.replicas of a released server to annotation ${ANNOTATIONS.minReplicas}`,
    why: TOO_FEW,
    when: isReleased,
    edits: ({ next }) => {
      const { min } = boundsOf(next)
      return min !== undefined && (next.spec?.k8s?.replicas ?? min) < min ? [set('/spec/k8s/replicas', min)] : []
    },
  },
  {
    id: 'TS-M8',
    says: `lowers spec.k8s.replicas of a released server to annotation ${ANNOTATIONS.maxReplicas}`,
    why: TOO_MANY,
    when: isReleased,
    edits: ({ next }) => {
      const { max } = boundsOf(next)
      return max !== undefined && (next.spec?.k8s?.replicas ?? 0) > max ? [set('/spec/k8s/replicas', max)] : []
    },
  },
  {
    id: 'TS-M11',
    says: 'sets spec.release.time to now where a release has none',
    when: ({ next }) => next.spec?.release?.time === undefined,
    edits: ({ at }) => [set('/spec/release/time', `${at.toISOString().slice(0, 19)}Z`)],
  },
  {
    id: 'TS-M12',
    says: `gives a release of a tars server that names no nodeImage that of TFrameworkConfig ${FRAMEWORK_NAME}, and its secret where none is named; refuses it where there is none (TS-V21)`,
    refuses: NODE_IMAGE,
    when: ({ next }) => lacksNodeImage(next),
    edits: nodeImage,
  },
  {
    id: 'TS-M13',
    says: 'removes nodeImage and nodeSecret from a release of a server that is none of tars',
    why: 'only a tars server has one',
    when: isOther,
    edits: () => [drop('/spec/release/nodeImage'), drop('/spec/release/nodeSecret')],
  },
  {
    id: 'TS-M14',
    says: 'sets spec.normal.ports to an empty list where there is none',
    when: (given) => isOther(given) && given.next.spec?.normal?.ports === undefined,
    edits: () => [set('/spec/normal/ports', [])],
  },
]

function judgedBounds({ next, prev = {} }: DraftChange<TServer>): Advice | Refusal {
  const before = illegalBounds(prev)
  const stood = (found: Finding) => before.some(({ path, value }) => path === found.path && value === found.value)
  const found = illegalBounds(next)
  if (!found.every(stood)) return { refuse: LEGAL_BOUNDS, findings: found.filter((each) => !stood(each)) }
  return { edits: [], warnings: found.map(ignored('TS-M10')) }
}

/** Warns about an illegal bound that the old object had already. */
export const ignored = (id: string) => (finding: Finding) =>
  `${finding.path}: ${LEGAL_BOUNDS.message(finding)}; ignored (${id})`

function lacksNodeImage({ spec }: Server): boolean {
  return spec?.release !== undefined && isTars(spec) && !spec.release.nodeImage
}

async function nodeImage({ next, prev, namespace }: DraftChange<TServer>, cluster: ClusterReader) {
  const name = FRAMEWORK_NAME
  const { image, secret } = (await cluster.get(TFRAMEWORKCONFIG, { namespace, name }))?.nodeImage ?? {}
  if (image) {
    const own = next.spec?.release?.nodeSecret
    const edits = [set('/spec/release/nodeImage', image)]
    return own || !secret ? edits : [...edits, set('/spec/release/nodeSecret', secret)]
  }
  if (prev !== undefined && lacksNodeImage(prev)) return [] // the old object had none either (CV-8)
  return { refuse: NODE_IMAGE, findings: [{ path: 'spec.release.nodeImage', value: `${namespace}/${name}` }] }
}
