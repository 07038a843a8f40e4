import { isTerminating } from '../../../src/kube/metadata.ts'
import { SUBDOMAIN_LENGTH, SUBDOMAIN_ONLY } from '../../../src/kube/names.ts'
import { all, defineController, type Index, type Key, type Sight } from '../../kit/controller.ts'
import type { ClusterReader, Found, KubeObject, Words } from '../../kit/schema.ts'
import { ANNOTATIONS, FRAMEWORK_NAME, LABELS } from '../names.ts'
import { LEAST_LIMIT, TFRAMEWORKCONFIG, type TFrameworkConfig } from '../tframeworkconfig/schema.ts'
import { confirmed } from './confirmed.ts'
import { conclude, type GroupSeen, plan } from './plan.ts'
import { MASTER, TCONFIG, type TConfig } from './schema.ts'
import {
  ACTIVATED,
  groupOf,
  hasLabel,
  isActive,
  isLive,
  isMemberOf,
  isNodeLevel,
  isToBeDeleted,
  MARKS,
} from './shape.ts'

type Member = Found<TConfig>

/**
 * One turn works on a group: the versions of one file for the same pods. A group is found by labels, of which the cache
 * holds no more; the fields of what is to be written are read before.
 */
export const tconfigController = defineController<TConfig, GroupSeen>({
  name: 'tconfig',
  of: TCONFIG,
  keeps: {
    byLabels: [LABELS.server, LABELS.configName, LABELS.app],
    fields: ['metadata.deletionTimestamp'],
  },
  keyOf: groupKeyOf,
  refersTo: ({ metadata }) => {
    const key = groupKeyOf({ metadata })
    return key !== undefined && isNodeLevel(identityOf(key)) ? [{ of: TCONFIG, key: masterOf(key) }] : []
  },
  watches: [
    all(TCONFIG, wokenByMaster, { fields: ['metadata.deletionTimestamp'] }),
    all(TFRAMEWORKCONFIG, wokenByLimit, { fields: ['recordLimit'] }),
  ],
  writes: [{ resource: TCONFIG, verbs: ['merge', 'remove'] }],
  observe,
  plan,
  conclude,
})

/** The labels are fields of the key, never joined by a separator that names may contain (TC-R6). */
function groupKeyOf({ metadata: { namespace = '', labels } }: KubeObject): Key | undefined {
  const {
    [LABELS.app]: app,
    [LABELS.server]: server,
    [LABELS.configName]: name,
    [LABELS.podSeq]: podSeq,
  } = labels ?? {}
  if (app === undefined || server === undefined || name === undefined || podSeq === undefined) return undefined
  return { namespace, name, group: [app, server, podSeq] }
}
function identityOf({ name: configName, group: [app = '', server = '', podSeq = MASTER] = [] }: Key) {
  return { app, server, configName, podSeq }
}
const masterOf = ({ group: [app = '', server = ''] = [], ...key }: Key): Key => ({
  ...key,
  group: [app, server, MASTER],
})

/** The groups for single pods lose their master with it (TC-R5). */
function wokenByMaster(config: KubeObject, among: Index): readonly Key[] {
  const key = groupKeyOf(config)
  return key === undefined || isNodeLevel(identityOf(key)) ? [] : among.referring({ of: TCONFIG, key })
}
function wokenByLimit({ metadata: { namespace = '', name } }: KubeObject, among: Index): readonly Key[] {
  return name === FRAMEWORK_NAME ? among.all(namespace) : []
}

/** The cache says whether there is anything to do; what is done rests on live reads. */
async function observe(key: Key, { cached, live }: Sight): Promise<GroupSeen | undefined> {
  if (!(await isDue(key, cached))) return undefined
  const group = identityOf(key)
  const [found, limit] = [await listed(key, live), await limitIn(key, live)]
  const history = found.filter((each) => isLive(each) && !isActiveByLabel(each))
  const isInQuestion = (each: Member) => isMarked(each) || isActiveByLabel(each) || history.length > limit
  const candidates = found.filter((each) => !isTerminating(each) && isInQuestion(each))
  const members = await confirmed(candidates, (each) => !isTerminating(each) && isMemberOf(each, group), live)
  const orphan = await orphanIn(key, live)
  return { members, limit, markers: await markersOf(members, key, live), ...(orphan && { orphan }) }
}

async function isDue(key: Key, cached: ClusterReader): Promise<boolean> {
  const found = (await listed(key, cached)).filter((each) => !isTerminating(each))
  if (found.some(isMarked)) return true
  const active = found.filter(isActiveByLabel).length
  if (active > 1 || found.length - active > (await limitIn(key, cached))) return true
  return found.length > 0 && isNodeLevel(identityOf(key)) && (await mastersOf(key, cached)).length === 0
}

const listed = (key: Key, cluster: ClusterReader, more: Words = {}) =>
  cluster.list(TCONFIG, {
    namespace: key.namespace,
    labels: { ...groupOf(identityOf(key)), ...more },
    metadataOnly: true,
  })
const isMarked = (each: Member) => MARKS.some((mark) => hasLabel(each, mark))
const isActiveByLabel = ({ metadata }: Member) => metadata.labels?.[LABELS.activated] === ACTIVATED[LABELS.activated]

/** A mark on a master is settled before it counts as lost. */
const mastersOf = async (key: Key, cluster: ClusterReader) =>
  (await listed(masterOf(key), cluster, ACTIVATED)).filter((each) => !isTerminating(each))

/** One version of a group whose family has no master in force: the one in force, if there is any. */
async function orphanIn(key: Key, live: ClusterReader): Promise<Member | undefined> {
  if (!isNodeLevel(identityOf(key))) return undefined
  const master = identityOf(masterOf(key))
  const isInForceThere = (each: Member) => !isTerminating(each) && isActive(each) && isMemberOf(each, master)
  const masters = await confirmed(await mastersOf(key, live), isInForceThere, live)
  if (masters.length > 0) return undefined
  const there = (await listed(key, live)).filter(isLive).toSorted((one, other) => rankOf(other) - rankOf(one))
  const [orphan] = await confirmed(there.slice(0, 1), (each) => isMemberOf(each, identityOf(key)), live)
  return orphan
}
const rankOf = (each: Member) => Number(isActiveByLabel(each))

/** What the Deleting marks name, as it is after they were read (TC-R2). */
async function markersOf(members: readonly Member[], { namespace }: Key, live: ClusterReader) {
  const doomed = members.filter(isToBeDeleted)
  const names = new Set(doomed.map(({ metadata }) => metadata.annotations?.[ANNOTATIONS.markedBy] ?? ''))
  const named = [...names].filter(isName).map((name) => ({ metadata: { namespace, name } }))
  const found = await confirmed(named, () => true, live)
  return new Map(found.map((each) => [each.metadata.name, each]))
}
const isName = (text: string) => text.length <= SUBDOMAIN_LENGTH && new RegExp(SUBDOMAIN_ONLY).test(text)

async function limitIn({ namespace }: Key, cluster: ClusterReader): Promise<number> {
  return limitOf(await cluster.get(TFRAMEWORKCONFIG, { namespace, name: FRAMEWORK_NAME }))
}
/** Bounded, since the object may be older than its schema. */
function limitOf(config: Found<TFrameworkConfig> | undefined): number {
  if (config === undefined) return LEAST_LIMIT
  return Math.min(Math.max(config.recordLimit?.tconfigHistory ?? USUAL_LIMIT, LEAST_LIMIT), MOST)
}
const USUAL_LIMIT = 48
const MOST = 100
