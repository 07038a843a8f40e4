import { readFileSync } from 'node:fs'
import type { Built } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { managed, server } from './objects.ts'

/** The reviews that a write brings, as the API server words them: managed fields and all. */

interface Options {
  readonly dryRun?: boolean
}

export function creation(object: Built, options: Options = {}): Tree {
  return review(object, { operation: 'CREATE', object: managed(object), oldObject: null }, options)
}

export function change(prev: Built, next: Built, options: Options = {}): Tree {
  return review(next, { operation: 'UPDATE', object: next, oldObject: prev }, options)
}

export function deletion(prev: Built): Tree {
  return review(prev, { operation: 'DELETE', object: null, oldObject: prev }, {})
}

/** A review of so many bytes altogether, when told how much filling that leaves. */
export function sized(bytes: number, reviewOf: (filling: number) => Tree): Tree {
  return reviewOf(Math.max(0, bytes - JSON.stringify(reviewOf(0)).length))
}

/** The CREATE of a TServer, which takes 4 KB altogether. */
export function smallCreation(): Tree {
  return sized(4_096, (filling) => creation(server('demo-echo', filling)))
}

/** As a real API server sent it. */
export function recorded(name: string): Tree {
  const shown: unknown = JSON.parse(readFileSync(`test/fixtures/reviews/${name}.json`, 'utf8'))
  return isTree(shown) ? shown : {}
}

export function requestOf({ request }: Tree): Tree {
  return isTree(request) ? request : {}
}

function review({ kind: name, metadata }: Built, request: Tree, { dryRun = false }: Options): Tree {
  const kind = { group: 'k8s.tars.io', version: 'v1beta2', kind: name }
  const resource = { group: 'k8s.tars.io', version: 'v1beta2', resource: `${String(name).toLowerCase()}s` }
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: crypto.randomUUID(),
      ...{ kind, resource, requestKind: kind, requestResource: resource },
      ...{ name: metadata.name, namespace: metadata.namespace, ...request },
      userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
      dryRun,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'kubectl-create' },
    },
  }
}
