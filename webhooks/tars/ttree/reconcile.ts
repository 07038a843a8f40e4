import { isTerminating } from '../../../src/kube/metadata.ts'
import {
  type Action,
  all,
  defineController,
  type Given,
  type Key,
  type Notice,
  type Plan,
  type Result,
  type Sight,
} from '../../kit/controller.ts'
import { type Found, type KubeObject, LONGEST_LIST } from '../../kit/schema.ts'
import { LONGEST_BACKOFF_MS, MOST_OPERATIONS } from '../again.ts'
import { LABELS, SERVER_LABELS, TREE_NAME } from '../names.ts'
import { TSERVER, type TServer } from '../tserver/schema.ts'
import { nameIn } from '../tserver/shape.ts'
import { TTREE, type TTree } from './schema.ts'
import { CREATE_TREE } from './settings.ts'

interface Seen {
  readonly namespace: string
  readonly tree: TTree | undefined
  /** Servers whose app the tree lacks: one for each app, in the order of their names. */
  readonly missing: readonly Found<TServer>[]
}

const keyOf = ({ metadata: { namespace = '' } }: KubeObject): Key => ({ namespace, name: TREE_NAME })

export const ttreeController = defineController<TTree, Seen>({
  name: 'ttree',
  of: TTREE,
  keyOf,
  refersTo: (tree) => namesIn(tree).map((name) => appOf(tree, name)),
  watches: [
    all(
      TSERVER,
      (server, among) => (among.referring(appOf(server, labelOf(server))).length > 0 ? [] : [keyOf(server)]),
      { byLabels: SERVER_LABELS, fields: ['spec.app', 'metadata.deletionTimestamp'] },
    ),
  ],
  writes: [{ resource: TTREE, verbs: ['create', 'patch'] }],
  observe,
  plan,
  conclude,
})

/** A tree refers to the servers of its apps, so that a change of a server whose app is listed wakes no key. */
function appOf({ metadata: { namespace = '' } }: KubeObject, app: string) {
  return { of: TSERVER, key: { namespace, name: app } }
}

const namesIn = ({ apps = [] }: Pick<Found<TTree>, 'apps'>) => apps.flatMap(({ name }) => name ?? [])
/** Labels that do not make the name lie: they were stored while the webhook was away, so they count for none. */
function labelOf({ metadata: { name, labels } }: KubeObject): string {
  return (nameIn(labels ?? {}) === name && labels?.[LABELS.app]) || ''
}

/** A tree of another shape is not written; the auditor reports it. */
async function observe({ namespace, name }: Key, { cached }: Sight): Promise<Seen | undefined> {
  const tree = await cached.get(TTREE, { namespace, name })
  if (tree !== undefined && (isTerminating(tree) || !TTREE.isOutline(tree))) return undefined
  const missing = await missingIn(namespace, new Set(tree && namesIn(tree)), cached)
  return missing.length > 0 ? { namespace, tree, missing } : undefined
}

/** Most servers are known by their labels alone, since TS-M1 mirrors the app there; the rest are read (spec.app decides). */
async function missingIn(namespace: string, known: ReadonlySet<string>, cached: Sight['cached']) {
  const servers = await cached.list(TSERVER, { namespace, metadataOnly: true })
  const candidates = servers.filter((server) => !isTerminating(server) && !known.has(labelOf(server)))
  const byApp = new Map<string, Found<TServer>>()
  for (const { metadata } of candidates.toSorted(byName)) {
    const server = await cached.get(TSERVER, { namespace, name: metadata.name })
    const app = server?.spec?.app
    if (server !== undefined && app !== undefined && !known.has(app) && isAcceptable(app)) byApp.set(app, server)
  }
  return [...byApp.values()]
}

const byName = (one: KubeObject, other: KubeObject) => (one.metadata.name < other.metadata.name ? -1 : 1)

/** What the schema of a TTree refuses would keep the other apps out too. */
const isAcceptable = (app: string) =>
  TTREE.is({ metadata: { name: TREE_NAME }, businesses: [], apps: [{ name: app, businessRef: '' }] })

/** All apps come in one write, and none ever goes (TR-R1). A stale version is refused, so no app comes twice (U-16). */
export function plan({ namespace, tree, missing }: Seen, { at, settings }: Pick<Given, 'at' | 'settings'>): Plan {
  const entries = missing.slice(0, MOST_OPERATIONS).map(({ spec }) => ({
    name: spec?.app,
    businessRef: '',
    createTime: at.toISOString().replace(/\.\d+/, ''),
    mark: 'AddByController',
    createPerson: '',
  }))
  if (tree === undefined)
    return settings.get(CREATE_TREE) ? { actions: [creation(namespace, entries)] } : waitingForTree(missing)
  const room = Math.max(0, LONGEST_LIST - tree.apps.length)
  const added = entries.slice(0, room)
  const notices = added.length < entries.length ? fullTree(missing.slice(room)) : []
  return { actions: added.length > 0 ? [addition(tree, added)] : [], notices }
}

export function conclude({ missing }: Seen, results: readonly Result[]): Plan {
  const refused = results.filter(({ outcome }) => outcome === 'refused')
  return { actions: [], notices: refused.flatMap(({ message = '' }) => warning(missing, 'SyncFailed', message)) }
}

function creation(namespace: string, apps: readonly object[]): Action {
  const apiVersion = `${TTREE.group}/${TTREE.version}`
  const object = { apiVersion, kind: TTREE.kind, metadata: { namespace, name: TREE_NAME }, businesses: [], apps }
  return { do: 'create', of: TTREE, object, because: 'TR-R1' }
}

function addition({ metadata }: TTree, apps: readonly object[]): Action {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata
  const operations = apps.map((value) => ({ op: 'add', path: '/apps/-', value }) as const)
  return {
    do: 'patch',
    of: TTREE,
    ref: { namespace, name },
    expects: { uid, resourceVersion },
    operations,
    because: 'TR-R1',
  }
}

function waitingForTree(missing: Seen['missing']): Plan {
  const text = `the namespace has no TTree ${TREE_NAME}, and --create-tree is off; create it (TR-R1)`
  return { actions: [], notices: warning(missing, 'GetError', text), againInMs: LONGEST_BACKOFF_MS }
}

const fullTree = (missing: Seen['missing']) =>
  warning(missing, 'SyncFailed', `TTree ${TREE_NAME} has no room for another app (TR-R1)`)

/** About the first server that lacks its app, since there may be no tree. */
function warning(missing: Seen['missing'], reason: string, message: string): readonly Notice[] {
  return missing.slice(0, 1).map(({ metadata: { namespace = '', name, uid = '' } }) => ({
    type: 'Warning',
    reason,
    message,
    about: { of: TSERVER, ref: { namespace, name }, uid },
  }))
}
