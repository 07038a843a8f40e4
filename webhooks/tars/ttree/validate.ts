import { type ClusterReader, type Findings, isGoing, type Rule, someOf, type Update } from '../../kit.ts'
import { LABELS, TREE_NAME } from '../names.ts'
import { repeated } from '../repeated.ts'
import { TSERVER } from '../tserver/schema.ts'
import type { TTree } from './schema.ts'

export const rules: readonly Rule<TTree>[] = [
  {
    id: 'TR-V1', // a second one of that name the API server itself refuses, as AlreadyExists
    on: 'create',
    reason: 'Forbidden',
    check: ({ next: { metadata } }) => (metadata.name === TREE_NAME ? [] : [{ path: 'metadata.name' }]),
    message: () => `only one TTree named "${TREE_NAME}" is allowed in a namespace`,
    remedy: 'give it that name, or edit the one that is there',
  },
  {
    id: 'TR-V2',
    on: 'write',
    exemptOnUpdate: ['CTRL'],
    check: ({ next }) => namesakes('businesses', next.businesses),
    message: ({ value, by = [] }) => `"${value}" duplicates ${by.join()}`,
    remedy: 'give each business a name of its own',
  },
  {
    id: 'TR-V3',
    on: 'write',
    exemptOnUpdate: ['CTRL'],
    check: ({ next }) => namesakes('apps', next.apps),
    message: ({ value, by = [] }) => `"${value}" duplicates ${by.join()}`,
    remedy: 'list each app once',
  },
  {
    id: 'TR-V4',
    on: 'write',
    exemptOnUpdate: ['CTRL'],
    check: ({ next }) => unknownBusinesses(next),
    message: ({ value }) => `business "${value}" does not exist`,
    remedy: 'add it to businesses, name another, or leave the field empty',
  },
  {
    id: 'TR-V5',
    on: 'update',
    reason: 'Forbidden',
    live: true,
    exempt: ['CTRL'],
    check: usedApps,
    message: ({ value, by = [] }) => `"${value}" is used by TServer ${someOf(by)}`,
    remedy: 'keep the app, or delete them first',
  },
  {
    id: 'TR-V6',
    on: 'delete',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    check: ({ prev: { metadata } }) => (metadata.name === TREE_NAME ? [{ path: 'metadata.name' }] : []),
    message: () => `${TREE_NAME} cannot be deleted`,
    remedy: 'edit it, or delete its namespace',
  },
]

interface Named {
  readonly name: string
}

function namesakes(field: string, all: readonly Named[]): Findings {
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

/** One that stood twice and now stands once is still there. */
async function usedApps({ next, prev, namespace }: Update<TTree>, cluster: ClusterReader): Promise<Findings> {
  const left = new Set(next.apps.map(({ name }) => name))
  const gone = [...new Set(prev.apps.map(({ name }) => name).filter((name) => !left.has(name)))]
  const users = Map.groupBy(await usersOf(gone, namespace, cluster), ({ spec }) => spec?.app)
  return gone.flatMap((app) => {
    const by = users.get(app)?.map(({ metadata }) => metadata.name)
    return by === undefined ? [] : [{ path: 'apps', value: app, by: by.sort() }]
  })
}

const FEW = 8

/** Of a few apps each is asked for, of many all servers are. Label and field must agree; who is being deleted uses nothing. */
async function usersOf(apps: readonly string[], namespace: string, cluster: ClusterReader) {
  const asked = apps.length > FEW ? [{}] : apps.map((app) => ({ labels: { [LABELS.app]: app } }))
  const servers = (await Promise.all(asked.map((where) => cluster.list(TSERVER, { namespace, ...where })))).flat()
  return servers.filter((server) => !isGoing(server) && server.spec?.app === server.metadata.labels?.[LABELS.app])
}
