import type { Built, Gvr } from '../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../src/fact.ts'
import type { Action } from '../../src/reconcile/action.ts'
import type { Given, Plan, Turn } from '../../src/reconcile/controller.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import { plan } from '../../webhooks/tars/tserver/reconcile/plan.ts'
import type { ServerSeen, StandingObject } from '../../webhooks/tars/tserver/reconcile/seen.ts'
import { aTServer } from './builders/servers.ts'
import { NOW } from './clusters.ts'
import { asServer, mapped } from './mapped.ts'

type Wishes = NonNullable<Parameters<typeof aTServer>[0]>

export const GIVEN: Given = {
  at: new Date(NOW),
  attempt: 0,
  profile: 'seed',
  settings: settingsOf({}),
  facts: NOTHING_KNOWN,
}

/** As it is stored: with its uid and version. */
export function storedServer(wishes: Wishes = {}) {
  const { metadata, ...rest } = aTServer(wishes)
  return asServer({ ...rest, metadata: { ...metadata, uid: 'server', resourceVersion: '7' } })
}

/** What the controller sees of a server: nothing of it stands yet, unless it is asked for. */
export function seen(wishes: Wishes = {}, rest: Partial<ServerSeen> = {}): ServerSeen {
  return { server: storedServer(wishes), config: undefined, there: [], pods: [], ...rest }
}

interface StandingWishes {
  /** Those of the server. */
  readonly wishes?: Wishes
  /** Over what there is. */
  readonly metadata?: Tree
  readonly spec?: Tree
}

/** An object of the server as it was mapped, with its uid. */
export function stored(of: Gvr, { wishes = {}, metadata = {}, spec = {} }: StandingWishes = {}): Built {
  const object = mapped(storedServer(wishes))[of.kind]
  if (object === undefined) throw new TypeError(`no ${of.kind} is made of it`)
  const body = isTree(object.spec) ? { spec: { ...object.spec, ...spec } } : {}
  const asStored = { uid: `uid of ${of.kind}`, resourceVersion: '3' }
  return { ...object, ...body, metadata: { ...object.metadata, ...asStored, ...metadata } }
}
export const standing = (of: Gvr, wishes?: StandingWishes): StandingObject => ({ of, object: stored(of, wishes) })

export const ownedBy = (owner: Tree) => ({
  ownerReferences: [
    { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', name: 'demo-echo', uid: 'other', controller: true, ...owner },
  ],
})
export const TERMINATING = { deletionTimestamp: NOW }

/** `apply Service`, in their order. */
export function inShort({ actions }: Pick<Plan | Turn, 'actions'>): readonly string[] {
  return actions.map((action) => ('of' in action ? `${action.do} ${action.of.kind}` : action.do))
}
export const writesOf = <A>({ actions }: Plan<A>): readonly Action[] =>
  actions.flatMap((action) => (isWrite(action) ? [action] : []))
const isWrite = <A>(action: Action | A): action is Action =>
  typeof action === 'object' && action !== null && 'of' in action
export const planned = (what: Parameters<typeof plan>[0], given: Partial<Given> = {}) =>
  plan(what, { ...GIVEN, ...given })
