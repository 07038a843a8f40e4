import { expect } from 'vitest'
import type { Cluster } from './client.ts'
import { expectDone } from './product.ts'

/** What a webhook asks only when it is asked to: each look-up of a kind, and each mark. */
export interface Place {
  readonly namespace: string
  /** Another one in each place, since what is only used of one name need not be given of all. */
  readonly server: 'Echo' | 'Other'
}

export async function useAllRights(cluster: Cluster, { namespace, server }: Place): Promise<void> {
  const name = server.toLowerCase()
  const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
  const create = (...objects: readonly object[]) =>
    cluster.kubectl(['create', `--namespace=${namespace}`, '-f', '-'], {
      stdin: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
    })
  const release = { id: 'r1', image: 'demo/echo:r1' }
  expect((await create(template('orphan', `nobody-in-${namespace}`))).stderr).toContain('(TT-V2)')
  expect((await create(serverOf(server, name, { release }))).stderr).toContain('(TS-V21)')
  expectDone(await create(template(name, name), serverOf(server, name), version(server, 'v1'), version(server, 'v2')))
  expectDone(await on('scale', `tserver/demo-${name}`, '--replicas=3'))
  expect((await on('delete', 'ttemplate', name)).stderr).toContain('(TT-V4)')
  const path = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/ttemplates/${name}`
  expect(await cluster.request('DELETE', path, undefined, { as: COLLECTOR })).toMatchObject({ status: 403 })
  expectDone(await on('delete', `tserver/demo-${name}`, `tconfig/${name}-v1`, `tconfig/${name}-v2`))
  expectDone(await on('delete', 'ttemplate', name))
}

/** It is exempt while the namespace is terminating, so the namespace is looked up (tars.md 1.5). */
const COLLECTOR = { namespace: 'kube-system', name: 'generic-garbage-collector' } as const

/** Which every user has by ClusterRole system:basic-user: who we are is asked at the start. */
export const EVERYBODYS = 'create selfsubjectreviews.authentication.k8s.io'
/** There is one of its kind in each namespace, and lists of it cannot be granted by name. */
const ofAnyName = (right: string) => right.replace(/^(get tframeworkconfigs\S+) named tars-framework$/, '$1')

/** Of rights used and of rights granted, what can be compared; a right may be granted for two reasons. */
export function comparable(rights: readonly string[]): readonly string[] {
  return [...new Set(rights.filter((right) => right !== EVERYBODYS).map(ofAnyName))]
}

const ours = (kind: string, name: string, rest: object) => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind,
  metadata: { name },
  ...rest,
})
const template = (name: string, parent: string) => ours('TTemplate', name, { spec: { parent, content: '' } })

function serverOf(server: string, name: string, more: object = {}): object {
  const spec = { app: 'Demo', server, subType: 'tars', tars: { template: name, servants: [] }, k8s: {}, ...more }
  return ours('TServer', `demo-${name}`, { spec })
}

function version(server: string, content: string): object {
  const name = `${server.toLowerCase()}-${content}`
  return ours('TConfig', name, { app: 'Demo', server, configName: 'main.conf', configContent: content })
}
