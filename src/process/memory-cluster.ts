import { randomInt, randomUUID } from 'node:crypto'
import type { Admit } from '../cluster/memory/admission.ts'
import { definitionsOf } from '../cluster/memory/definitions.ts'
import { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Need } from '../cluster/needs.ts'
import type { Cluster, ClusterReader, ClusterWriter, Gvr, KubeObject, Sink } from '../cluster/port.ts'
import { resource } from '../cluster/resource.ts'
import { EVERYWHERE, placesOf, type Scope } from '../cluster/scope.ts'
import type { Kind } from '../kind.ts'
import { object } from '../schema.ts'
import { OURSELVES } from './identities.ts'

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const chance = {
  uid: () => randomUUID(),
  suffix: () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
}

/** Knows the kinds like a real cluster on which their CustomResourceDefinitions were applied. */
export function memoryCluster(kinds: readonly Kind[], admit?: Admit): MemoryCluster {
  const definitions = definitionsOf(kinds)
  return new MemoryCluster({ definitions, clock: { now: () => new Date() }, chance, ...(admit && { admit }) })
}

/** The in-memory cluster as a process sees it: with caches that are always current, and as the given user. */
export function asCluster(
  memory: MemoryCluster,
  reads: readonly Need[],
  user = OURSELVES,
  scope: Scope = EVERYWHERE,
): Cluster {
  const live: ClusterReader = {
    get: (of, ref) => memory.get(of, ref),
    list: (of, where) => memory.list(of, where),
    dryRun: (of, object, by, manager) => memory.dryRun(of, object, by, manager, { user }),
  }
  const cachedFor = (needs: readonly Need[]) => cachedIn(memory.cachedFor(needs), live, scope)
  return {
    readers: { cached: cachedFor(reads), live },
    async *pages(of, { namespace, limit }) {
      const all = await memory.list(resource(of, object({})), { namespace })
      for (let from = 0; from < all.length; from += limit) yield all.slice(from, from + limit)
    },
    cachedFor,
    writer: writerAs(user, memory),
    watcher: {
      follow: (of, ref, tell) => memory.follow(of, ref, tell),
      watch: (of, keeps, sink) => memory.watch(of, keeps, sinkIn(of, sink, scope)),
    },
    user: async () => user,
    openApi: async () => undefined,
    synced: Promise.resolve(),
    states: () => [],
    stop() {},
  }
}

/** Lists what is kept. An object elsewhere is read live, which is the same here. */
function cachedIn(reader: ClusterReader, live: ClusterReader, scope: Scope): ClusterReader {
  return {
    ...live,
    get: (of, ref) => reader.get(of, ref),
    async list(of, { limit, ...where }) {
      const keeps = where.namespace === '' && of.scope === 'Namespaced'
      const objects = await reader.list(of, where)
      return (keeps ? objects.filter((object) => isIn(of, object, scope)) : objects).slice(0, limit)
    },
  }
}

function sinkIn(of: Gvr, sink: Sink, scope: Scope): Sink {
  return {
    begin: () => sink.begin(),
    add: (objects) => sink.add(objects.filter((object) => isIn(of, object, scope))),
    done: () => sink.done(),
    put: (object) => isIn(of, object, scope) && sink.put(object),
    remove: (object) => isIn(of, object, scope) && sink.remove(object),
  }
}

function isIn(of: Gvr, { metadata: { namespace = '' } }: KubeObject, scope: Scope): boolean {
  return placesOf(of, scope).some((place) => place === '' || place === namespace)
}

function writerAs(user: string, memory: MemoryCluster): ClusterWriter {
  return {
    create: (of, object) => memory.create(of, object, { user }),
    replace: (of, object) => memory.replace(of, object, { user }),
    patch: (of, ref, operations, options) => memory.patch(of, ref, operations, { ...options, user }),
    apply: (of, object, options) => memory.apply(of, object, { ...options, user }),
    merge: (of, ref, patch, options) => memory.merge(of, ref, patch, { ...options, user }),
    remove: (of, ref, options) => memory.remove(of, ref, { ...options, user }),
  }
}
