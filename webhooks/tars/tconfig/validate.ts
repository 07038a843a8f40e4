import {
  type Create,
  type Delete,
  type Finding,
  type Findings,
  type Rule,
  someOf,
  type Update,
} from '../../kit/admission.ts'
import type { ClusterReader, Found } from '../../kit/schema.ts'
import { LABELS } from '../names.ts'
import { MASTER, TCONFIG, type TConfig } from './schema.ts'
import { DELETION_GUARD_SECONDS } from './settings.ts'
import {
  ACTIVATED,
  familyOf,
  groupOf,
  hasLabel,
  isActivation,
  isActive,
  isFoundAtNodeLevel,
  isInForce,
  isLive,
  isNodeLevel,
  isOfFamily,
  isOfGroup,
  isToBeDeactivated,
  isToBeDeleted,
  MARKS,
  podSeqOf,
  titleOf,
} from './shape.ts'

type ConfigField = keyof TConfig & string
type ConfigWrite = Create<TConfig> | Update<TConfig>

const MASTER_FIRST = `create or activate that one first, with podSeq ${MASTER}`

export const rules: readonly Rule<TConfig>[] = [
  fixed('TC-V1', ['app']),
  fixed('TC-V2', ['server']),
  fixed('TC-V3', ['configName']),
  fixed('TC-V4', ['podSeq']),
  fixed('TC-V5', ['version']),
  fixed('TC-V6', ['configContent']),
  fixed('TC-V7', ['updateTime', 'updatePerson', 'updateReason']),
  {
    id: 'TC-V8',
    field: 'activated',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    check: ({ next, prev }) => (isActive(prev) && !isActive(next) ? [{ path: 'activated' }] : []),
    message: () => 'a configuration is deactivated by activating another version',
    remedy: 'create that version, or set its activated to true',
  },
  {
    id: 'TC-V9',
    field: 'metadata.labels[tars.io/Deleting]',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    always: true,
    check: ({ prev }) => (isToBeDeleted(prev) ? [{ path: labelPath(LABELS.deleting) }] : []),
    message: () => 'this TConfig is being deleted',
    remedy: 'create a new one',
  },
  {
    id: 'TC-V10',
    field: 'metadata.labels',
    on: 'create',
    check: ({ next }) => MARKS.filter((mark) => hasLabel(next, mark)).map((mark) => ({ path: labelPath(mark) })),
    message: () => 'reserved',
    remedy: 'leave the label out',
  },
  {
    id: 'TC-V11',
    field: 'podSeq',
    on: 'create',
    holds: true,
    check: ({ next }) => (isNodeLevel(next) && !next.server ? [{ path: 'podSeq' }] : []),
    message: () => 'application-level configuration has no node-level variant',
    remedy: `name a server, or set podSeq to ${MASTER}`,
  },
  {
    id: 'TC-V12',
    field: 'podSeq',
    on: 'create',
    holds: true,
    refers: true,
    live: true,
    when: ({ next }) => isNodeLevel(next) && Boolean(next.server),
    check: missingMaster,
    message: ({ value }) => `no active master configuration ${value}`,
    remedy: MASTER_FIRST,
  },
  {
    id: 'TC-V13',
    field: 'metadata.name',
    on: 'delete',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    when: ({ prev }) => !isNodeLevel(prev) && isActive(prev) && !isToBeDeactivated(prev),
    check: nodeLevels,
    message: ({ by = [] }) => `in use by node-level configuration ${someOf(by)}`,
    remedy: 'delete what is for single pods first, then repeat',
  },
  {
    id: 'TC-V14',
    field: 'metadata.name',
    on: 'update',
    refers: true,
    exempt: ['CTRL'],
    live: true,
    when: (given) => isNodeLevel(given.next) && isActivation(given),
    check: missingMaster,
    message: ({ value }) => `no active master configuration ${value}`,
    remedy: MASTER_FIRST,
  },
  {
    id: 'TC-V15',
    field: 'metadata.name',
    on: 'delete',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    when: ({ prev, settings }) => settings.get(DELETION_GUARD_SECONDS) > 0 && isActive(prev),
    check: tooYoung,
    message: ({ value }) => `created less than ${value} s ago`,
    remedy: 'delete it later, if it is no mistake',
  },
]

/** Consumers and history rely on the identity and content of a version, so only `activated` may change. */
function fixed(id: string, fields: readonly ConfigField[]): Rule<TConfig> {
  return {
    id,
    field: fields.join(', '),
    on: 'update',
    exempt: ['CTRL'],
    check: ({ next, prev }) =>
      fields
        .filter((field) => normalizedIn(next, field) !== normalizedIn(prev, field))
        .map((field) => changed(field, prev)),
    message: () => 'field is immutable',
    examples: fields.map((field) => changed(field, { version: '<version>', updateTime: '<time>' })),
    remedy: wayOut,
  }
}

type Generated = Pick<TConfig, 'version' | 'updateTime'>
function isGenerated(path: string): path is keyof Generated {
  return path === 'version' || path === 'updateTime'
}

/** Carries a generated value, since the author's file does not contain it. */
function changed(path: ConfigField, stored: Generated): Finding {
  const value = isGenerated(path) ? stored[path] : undefined
  return value === undefined ? { path } : { path, value }
}

/** An applied file cannot just leave a generated field out: `kubectl apply` would then remove it. */
function wayOut({ path, value }: Finding): string {
  if (path === 'configContent') return 'create a new TConfig with the new content'
  if (!isGenerated(path)) return 'create a new TConfig instead'
  if (value === undefined) return 'leave it out'
  return `write ${value}, which was generated; a file for a new TConfig leaves it out`
}

/** Normalizes a field, so that the same value written differently is no change. */
function normalizedIn(config: TConfig, field: ConfigField): unknown {
  if (field === 'podSeq') return podSeqOf(config)
  if (field === 'server') return config.server ?? ''
  if (field === 'updateTime') return config.updateTime && Date.parse(config.updateTime)
  return config[field]
}

const labelPath = (label: string) => `metadata.labels[${label}]`

async function missingMaster({ next, namespace }: ConfigWrite, cluster: ClusterReader): Promise<Findings> {
  const master = { ...next, podSeq: MASTER }
  const found = await cluster.list(TCONFIG, { namespace, labels: { ...groupOf(master), ...ACTIVATED } })
  const isThere = found.some((each) => isOfGroup(each, master) && isInForce(each))
  return isThere ? [] : [{ path: 'podSeq', value: titleOf(next) }]
}

/**
 * Includes versions out of force: without a master an author could not return to them. A whole history may take too
 * long to read, so it is listed as metadata, and the candidates are read one by one until one confirms its labels.
 */
async function nodeLevels({ prev, namespace }: Delete<TConfig>, cluster: ClusterReader): Promise<Findings> {
  const family = await cluster.list(TCONFIG, { namespace, labels: familyOf(prev), metadataOnly: true })
  const inTheWay = (each: Found<TConfig>) => isOfFamily(each, prev) && isFoundAtNodeLevel(each) && isLive(each)
  const names = family.filter(inTheWay).map(({ metadata }) => metadata.name)
  for (const by = names.sort(); by.length > 0; by.shift()) {
    const [name = ''] = by
    const found = await cluster.get(TCONFIG, { namespace, name })
    if (found !== undefined && inTheWay(found)) return [{ path: 'metadata.name', by }]
  }
  return []
}

/** The age is negative when the API server's clock is ahead of the clock here; then too the object is too young. */
function tooYoung({ prev, at, settings }: Delete<TConfig>): Findings {
  const seconds = settings.get(DELETION_GUARD_SECONDS)
  const age = at.getTime() - Date.parse(prev.metadata.creationTimestamp ?? '')
  return age < seconds * 1_000 ? [{ path: 'metadata.name', value: seconds }] : []
}
