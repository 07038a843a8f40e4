import type { Operation as PatchOperation } from 'fast-json-patch'
import type { Need } from '../../../src/cluster/needs.ts'
import type {
  Built,
  Cluster,
  ClusterReader,
  ClusterWatcher,
  ClusterWriter,
  Gvr,
  Ref,
} from '../../../src/cluster/port.ts'
import type { Scope } from '../../../src/cluster/scope.ts'
import type { Tree } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'

export interface Sent {
  readonly dryRun?: boolean
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

/** What people send, with kubectl or curl. */
export interface Author {
  create(of: Gvr, object: Tree, sent?: Sent): Promise<Built>
  replace(of: Gvr, object: Tree, sent?: Sent): Promise<Built>
  patch(of: Gvr, ref: Ref, operations: readonly PatchOperation[], sent?: Sent): Promise<Built>
  merge(of: Gvr, ref: Ref, patch: Tree, sent?: Sent): Promise<Built>
  remove(of: Gvr, ref: Ref, sent?: Sent): Promise<void>
  /** As kubectl apply does from the client's side; nothing passes that it does not know. */
  applyOnClient(of: Gvr, file: Tree, sent?: Pick<Sent, 'dryRun'>): Promise<Built>
}

/** A cluster that knows gadgets and our kinds, and has our webhooks in place. */
export interface Harness {
  /** What the contract is about. */
  readonly cluster: ClusterReader & ClusterWriter & ClusterWatcher
  readonly author: Author
  /** As a process holds it, with all that it keeps listed. */
  readonly holding: (
    needs: readonly Need[],
    scope?: Scope,
  ) => Promise<Pick<Cluster, 'readers' | 'cachedFor' | 'pages' | 'watcher'>>
  /** It exists and is empty, and no other harness has it. */
  readonly namespace: string
}

/** What an author may write, and nobody heeds. */
export const LONG_AGO = '2020-01-01T00:00:00Z'

/** What the facts are told with, whichever harness is there when they are. */
export type Bench = ReturnType<typeof benchOf>

export function benchOf(harness: () => Harness) {
  const cluster = () => harness().cluster
  const namespace = () => harness().namespace
  const at = (name: string): Ref => ({ namespace: namespace(), name })
  const gadget = (name: string, spec: Tree = {}, metadata: Tree = {}): Built => ({
    apiVersion: 'test.tars.io/v1',
    kind: 'Gadget',
    metadata: { name, namespace: namespace(), ...metadata },
    spec: { title: 'a gadget', ...spec },
  })
  return {
    cluster,
    author: () => harness().author,
    namespace,
    holding: (...wanted: Parameters<Harness['holding']>) => harness().holding(...wanted),
    at,
    gadget,
    create: (...parts: Parameters<typeof gadget>) => cluster().create(GADGET, gadget(...parts)),
    stored: async (name: string) => (await cluster().get(GADGET, at(name))) ?? {},
  }
}
