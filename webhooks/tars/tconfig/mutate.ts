import { crc32Of } from '../../../src/kube/digests.ts'
import {
  type Advice,
  annotation,
  type DraftChange,
  dropAnnotation,
  type Edit,
  label,
  type Mutation,
  set,
} from '../../kit/admission.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { MASTER, type TConfig } from './schema.ts'
import { hasLabel, isActivation, isActive, MARKS, podSeqOf } from './shape.ts'

type ConfigDraftChange = DraftChange<TConfig>

const isNew = ({ operation }: ConfigDraftChange) => operation === 'CREATE'
/** The old object is absent on update when it does not fit our schema. */
const isOldKnown = ({ operation, prev }: ConfigDraftChange) => operation === 'CREATE' || prev !== undefined

/** Fields are set before the labels that mirror them. */
export const mutations: readonly Mutation<TConfig>[] = [
  mirroring('TC-M1', LABELS.app, 'app', ({ app }) => app),
  {
    ...mirroring('TC-M2', LABELS.server, 'server', ({ server }) => server ?? ''),
    says: `sets label ${LABELS.server} to server, which may be empty`,
  },
  mirroring('TC-M3', LABELS.activated, 'activated', (next) => String(isActive(next))),
  mirroring('TC-M4', LABELS.configName, 'configName', ({ configName }) => configName),
  {
    id: 'TC-M5',
    says: 'sets podSeq to m where it is empty',
    when: ({ next }) => !next.podSeq,
    edits: () => [set('/podSeq', MASTER)],
  },
  mirroring('TC-M6', LABELS.podSeq, 'podSeq', podSeqOf),
  {
    id: 'TC-M7',
    says: 'sets version to the time of creation in UTC and a checksum of the name',
    why: 'it is generated',
    when: isNew,
    edits: (given) => [set('/version', versionOf(given))],
  },
  mirroring('TC-M8', LABELS.version, 'version', ({ version }) => version),
  {
    id: 'TC-M9',
    says: 'sets updateTime to the time of creation',
    why: 'it is the time of creation',
    when: isNew,
    edits: ({ at }) => [set('/updateTime', `${toTheSecond(at)}Z`)],
  },
  {
    id: 'TC-M10',
    says: 'restores marks, and keeps what they and activation were noted with from being written by hand',
    why: 'it is written by admission alone',
    exempt: ['CTRL'],
    when: isOldKnown,
    edits: (given) => [...lostMarks(given), ...reservedOn(given).map((key) => carriedOver(key, given.prev))],
  },
  {
    id: 'TC-M11',
    says: `sets annotations ${ANNOTATIONS.activatedAt} and ${ANNOTATIONS.activatedBy} when a version is activated; by hand the second cannot be set`,
    why: 'admission notes it',
    when: isOldKnown,
    edits: (given) => (isActivation(given) ? noted(given) : [carriedOver(ANNOTATIONS.activatedBy, given.prev)]),
  },
]

/** Look-ups select by these labels. */
function mirroring(
  id: string,
  key: string,
  field: string,
  valueIn: (next: ConfigDraftChange['next']) => string | undefined,
): Mutation<TConfig> {
  const edits: Mutation<TConfig>['edits'] = ({ next }) => [label(key, valueIn(next))]
  return {
    id,
    says: `sets label ${key} to ${field}`,
    why: `it mirrors ${field}`,
    mirror: { key, field, valueIn },
    edits,
  }
}

function lostMarks({ next, prev }: ConfigDraftChange): readonly Edit[] {
  return MARKS.filter((mark) => !hasLabel(next, mark)).map((mark) => label(mark, prev?.metadata?.labels?.[mark]))
}

/** An activation writes its own activatedAt and activatedBy (TC-M11), so they are not carried over. */
function reservedOn(given: ConfigDraftChange): readonly string[] {
  const { activatedAt, markedAt, markedBy, markedByUid } = ANNOTATIONS
  const marked = [markedAt, markedBy, markedByUid]
  return isActivation(given) ? marked : [activatedAt, ...marked]
}

function carriedOver(key: string, prev: ConfigDraftChange['prev']): Edit {
  const old = prev?.metadata?.annotations?.[key]
  return old === undefined ? dropAnnotation(key) : annotation(key, old)
}

/** Records since when the version is in force, which settles a tie, and by whom (UX-8). */
function noted({ at, user }: ConfigDraftChange): Advice {
  return {
    edits: [annotation(ANNOTATIONS.activatedAt, at.toISOString()), annotation(ANNOTATIONS.activatedBy, user.name)],
    audit: { 'activated-by': user.name },
  }
}

/** Falls back to the uid of the request while the API server has still to generate the name. */
function versionOf({ at, next, uid }: ConfigDraftChange): string {
  const stamp = toTheSecond(at).replaceAll(/\D/g, '')
  return `${stamp}-${crc32Of(next.metadata?.name || uid)}`
}
const toTheSecond = (at: Date) => at.toISOString().replace(/\.\d+Z$/, '')
