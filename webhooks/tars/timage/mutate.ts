import { type Advice, type DraftChange, dropLabel, label, type Mutation, set, warningsOf } from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { FRAMEWORK_NAME, LABELS } from '../names.ts'
import { LEAST_LIMIT, TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { SUPPORTED, type TImage } from './schema.ts'
import { ENFORCE_RELEASE_LIMIT } from './settings.ts'

type ImageDraftChange = DraftChange<TImage>
type Releases = NonNullable<ImageDraftChange['next']['releases']>

const SUPPORTED_LABEL = 'tars.io/Supported.'
/** Applies where no TFrameworkConfig sets a limit. */
const USUAL_LIMIT = 32

/** Duplicates are removed first, so that they neither count against the limit nor get a createTime. */
export const mutations: readonly Mutation<TImage>[] = [
  {
    id: 'TI-M1',
    says: `sets label ${LABELS.imageType} to imageType`,
    why: 'it mirrors imageType',
    edits: ({ next }) => [label(LABELS.imageType, next.imageType)],
  },
  {
    id: 'TI-M2',
    says: `sets a label ${SUPPORTED_LABEL}<type> for each supportedType of a base image, where there is none`,
    edits: ({ next }) =>
      supportedBy(next)
        .filter((type) => next.metadata?.labels?.[SUPPORTED_LABEL + type] === undefined)
        .map((type) => label(SUPPORTED_LABEL + type, type)),
  },
  {
    id: 'TI-M3',
    says: `removes every other label ${SUPPORTED_LABEL}<type>; ${LABELS.app} and ${LABELS.server} are never touched (TI-M7)`,
    why: 'no supportedType of a base image names it',
    edits: ({ next }) => {
      const kept = new Set(supportedBy(next).map((type) => SUPPORTED_LABEL + type))
      const labels = Object.keys(next.metadata?.labels ?? {})
      return labels.filter((key) => key.startsWith(SUPPORTED_LABEL) && !kept.has(key)).map(dropLabel)
    },
  },
  {
    id: 'TI-M4',
    says: 'removes releases whose id an earlier one has',
    why: 'an earlier release has its id',
    when: ({ next: { releases = [] } }) => releases.length > 1,
    edits: ({ next: { releases = [] } }) => [set('/releases', withoutNamesakes(releases))],
  },
  {
    id: 'TI-M5',
    says: 'sets releases[].createTime where it is missing: to that of the stored release of this id, or to the present',
    when: ({ next: { releases = [] } }) => releases.length > 0,
    edits: ({ next: { releases = [] }, prev, at }) => [set('/releases', withTimes(releases, at, prev?.releases))],
  },
  {
    id: 'TI-M6',
    says: 'removes releases beyond recordLimit.timageRelease of TFrameworkConfig, never the default one',
    when: ({ next: { releases = [] }, settings }) =>
      settings.get(ENFORCE_RELEASE_LIMIT) && releases.length > LEAST_LIMIT,
    edits: withinLimit,
  },
]

/** Skips types that the schema does not know, since the schema refuses them. */
function supportedBy({ imageType, supportedType = [] }: ImageDraftChange['next']): readonly string[] {
  return imageType === 'base' ? SUPPORTED.filter((type) => supportedType.includes(type)) : []
}

function withoutNamesakes(releases: Releases): Releases {
  const seen = new Set<string>()
  return releases.filter(({ id }) => {
    if (id === undefined) return true
    const isFirst = !seen.has(id)
    seen.add(id)
    return isFirst
  })
}

/** A manifest without times may be applied again and again, so a stored release keeps its time. */
function withTimes(releases: Releases, at: Date, stored: Releases = []): Releases {
  const now = at.toISOString().replace(/\.\d+/, '')
  const timed = stored.filter(({ createTime }) => createTime).toReversed() // the first of two releases with one id counts
  const timeOf = new Map(timed.map(({ id, createTime }) => [id, createTime]))
  return releases.map((release) =>
    release.createTime ? release : { ...release, createTime: timeOf.get(release.id) ?? now },
  )
}

async function withinLimit({ next, namespace }: ImageDraftChange, cluster: ClusterReader): Promise<Advice> {
  const { releases = [] } = next
  const config = await cluster.get(TFRAMEWORKCONFIG, { namespace, name: FRAMEWORK_NAME })
  const limit = config?.recordLimit?.timageRelease
  const kept = firstOf(releases, limit ?? USUAL_LIMIT, next.default)
  const stays = new Set(kept)
  const dropped = releases.filter((release) => !stays.has(release))
  if (dropped.length === 0) return { edits: [] }
  const reason =
    limit === undefined
      ? `${USUAL_LIMIT} are kept where no TFrameworkConfig says otherwise`
      : `recordLimit.timageRelease of ${FRAMEWORK_NAME} is ${limit}`
  const warnings = warningsOf({
    reason: `releases: ${dropped.length} too many, for ${reason}`,
    lost: 'releases: dropped',
    names: dropped.map(({ id }) => id).filter((id) => id !== undefined),
    id: 'TI-M6',
  })
  return { edits: [set('/releases', kept)], warnings }
}

/** The default release takes the last place if it is beyond the limit. */
function firstOf(releases: Releases, limit: number, usual: string | undefined): Releases {
  const first = releases.slice(0, limit)
  const beyond = releases.slice(limit).find(({ id }) => id !== undefined && id === usual)
  return beyond === undefined ? first : [...first.slice(0, -1), beyond]
}
