import type { Finding, Findings, Rule, Update } from '../../kit/admission.ts'
import type { ClusterReader, KubeObject, Where } from '../../kit/schema.ts'
import { oneByOne } from '../in-use.ts'
import { LABELS, TREE_NAME } from '../names.ts'
import { repeated } from '../repeated.ts'
import { TSERVER } from '../tserver/schema.ts'
import type { TTree } from './schema.ts'

export const rules: readonly Rule<TTree>[] = [
  {
    id: 'TR-V1', // the API server itself refuses a second one, as AlreadyExists
    field: 'metadata.name',
    on: 'create',
    holds: true,
    reason: 'Forbidden',
    check: ({ next: { metadata } }) => (metadata.name === TREE_NAME ? [] : [{ path: 'metadata.name' }]),
    message: () => `only one TTree named "${TREE_NAME}" is allowed in a namespace`,
    remedy: 'give it that name, or edit the one that is there',
  },
  {
    id: 'TR-V2',
    field: 'businesses[].name',
    on: 'write',
    exemptOnUpdate: ['CTRL'],
    check: ({ next }) => namesakes('businesses', next.businesses),
    message: ({ value, by = [] }) => `"${value}" duplicates ${by.join()}`,
    remedy: 'give each business a name of its own',
  },
  {
    id: 'TR-V3',
    field: 'apps[].name',
    on: 'write',
    exemptOnUpdate: ['CTRL'],
    check: ({ next }) => namesakes('apps', next.apps),
    message: ({ value, by = [] }) => `"${value}" duplicates ${by.join()}`,
    remedy: 'list each app once',
  },
  {
    id: 'TR-V4',
    field: 'apps[].businessRef',
    on: 'write',
    exemptOnUpdate: ['CTRL'],
    check: ({ next }) => unknownBusinesses(next),
    message: ({ value }) => `business "${value}" does not exist`,
    remedy: 'add it to businesses, name another, or leave the field empty',
  },
  {
    id: 'TR-V5',
    field: 'apps',
    on: 'update',
    reason: 'Forbidden',
    live: true,
    exempt: ['CTRL'],
    check: usedApps,
    message: ({ value, by = [] }) => `"${value}" is used by TServer ${by.join()}`,
    remedy: ({ value }) => `keep the app, or first delete all that kubectl get tserver -l ${LABELS.app}=${value} lists`,
  },
  {
    id: 'TR-V6',
    field: 'metadata.name',
    on: 'deleteByMetadata',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    check: ({ prev: { metadata } }) => (metadata.name === TREE_NAME ? [{ path: 'metadata.name' }] : []),
    message: () => `${TREE_NAME} cannot be deleted`,
    remedy: 'edit it, or delete its namespace',
  },
]

interface NamedEntry {
  readonly name: string
}

function namesakes(field: string, all: readonly NamedEntry[]): Findings {
  return repeated(all, ({ name }) => name).map(({ item, at, firstAt }) => ({
    path: `${field}[${at}].name`,
    value: item.name,
    by: [`${field}[${firstAt}]`],
  }))
}

function unknownBusinesses({ apps, businesses }: TTree): Findings {
  const known = new Set(['', ...businesses.map(({ name }) => name)])
  return apps.flatMap(({ businessRef }, i) =>
    known.has(businessRef) ? [] : [{ path: `apps[${i}].businessRef`, value: businessRef }],
  )
}

/** An app that was listed twice and is now listed once is still in the tree. */
async function usedApps({ next, prev, namespace }: Update<TTree>, cluster: ClusterReader): Promise<Findings> {
  const left = new Set(next.apps.map(({ name }) => name))
  const gone = [...new Set(prev.apps.map(({ name }) => name).filter((name) => !left.has(name)))]
  if (gone.length > FEW) return usersOf(gone, { namespace }, cluster)
  const looks = gone.map((app) => usersOf([app], { namespace, labels: { [LABELS.app]: app } }, cluster))
  return (await Promise.all(looks)).flat()
}

/** Up to this many apps get a look-up each. For more, all servers are listed until this many apps are found in use. */
const FEW = 8

/** Names one server per app that is in use. The label and the field of the server must agree. */
async function usersOf(apps: readonly string[], where: Where, cluster: ClusterReader): Promise<Findings> {
  const open = new Set<string | undefined>(apps)
  const found: Finding[] = []
  const appOf = ({ metadata }: KubeObject) => metadata.labels?.[LABELS.app]
  for await (const server of oneByOne(TSERVER, where, cluster, (each) => open.has(appOf(each)))) {
    const { metadata, spec } = server
    if (spec?.app === undefined || spec.app !== appOf(server)) continue
    open.delete(spec.app)
    found.push({ path: 'apps', value: spec.app, by: [metadata.name] })
    if (found.length === Math.min(apps.length, FEW)) break
  }
  return found
}
