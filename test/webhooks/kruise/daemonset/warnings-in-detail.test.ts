import { expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { allWordsTo } from './reviewed.ts'

const spec = (fields: Tree) => ({ spec: fields })
const agent = (fields: Tree) => spec({ containers: [{ name: 'agent', ...fields }] })
const env = (...variables: readonly Tree[]) => agent({ env: variables })
const A = { name: 'A', value: '1' }
const B = { name: 'B', value: '1' }
const cpu = (fields: Tree) => agent({ resources: fields })
const another = (resources: Tree) => spec({ containers: [{ name: 'new', image: 'a', resources }] })

interface Row {
  readonly name: string
  /** Of one priority, for the same Nodes. */
  readonly list: readonly Tree[]
  readonly says: string
  /** With these nothing is said. */
  readonly quiet: readonly Tree[]
}

it.each<Row>([
  {
    name: 'PATCH-V-22 a patch deletes what another one sets',
    list: [env(A), env({ name: 'A', $patch: 'delete' })],
    says: '[1].patch.spec.containers[agent].env[A]: overrides entry 0',
    quiet: [env(A), env({ name: 'B', $patch: 'delete' })],
  },
  {
    name: 'PATCH-V-22 a patch sets a part of what another one takes away',
    list: [cpu({ limits: null }), cpu({ limits: { cpu: '1' } })],
    says: '[1].patch.spec.containers[agent].resources.limits.cpu: overrides entry 0',
    quiet: [cpu({ limits: null }), cpu({ requests: { cpu: '1' } })],
  },
  {
    name: 'PATCH-V-22 a patch replaces a list with elements of another one',
    list: [env(A), env(B, { $patch: 'replace' })],
    says: '[1].patch.spec.containers[agent].env: overrides entry 0',
    quiet: [env(A), env(B)],
  },
  {
    name: 'PATCH-V-22 two patches bring one scalar',
    list: [{ metadata: { finalizers: ['a'] } }, { metadata: { finalizers: ['a', 'b'] } }],
    says: '[1].patch.metadata.finalizers["a"]: overrides entry 0',
    quiet: [{ metadata: { finalizers: ['a'] } }, { metadata: { finalizers: ['b'] } }],
  },
  {
    name: 'PATCH-V-23h a port of the node',
    list: [agent({ ports: [{ containerPort: 53, hostPort: 53 }] })],
    says: '[0].patch: grants hostPort; a node can label itself',
    quiet: [agent({ ports: [{ containerPort: 53, hostPort: 0 }] })],
  },
  {
    name: 'PATCH-V-23h user 0 in a container, which may get more',
    list: [agent({ securityContext: { allowPrivilegeEscalation: true, runAsUser: 0 } })],
    says: '[0].patch: grants allowPrivilegeEscalation, runAsUser: 0',
    quiet: [agent({ securityContext: { allowPrivilegeEscalation: false, runAsUser: 1 } })],
  },
  {
    name: 'PATCH-V-23h a whole /proc',
    list: [agent({ securityContext: { procMount: 'Unmasked' } })],
    says: '[0].patch: grants procMount: Unmasked;',
    quiet: [agent({ securityContext: { procMount: 'Default' } })],
  },
  {
    name: 'PATCH-V-23h user 0 in all containers',
    list: [spec({ securityContext: { runAsUser: 0 } })],
    says: '[0].patch: grants runAsUser: 0; a node can label itself',
    quiet: [spec({ securityContext: { runAsUser: 1 } })],
  },
  {
    name: 'PATCH-V-23j more is requested for the pod',
    list: [spec({ resources: { requests: { cpu: '4' } } })],
    says: '[0].patch.spec.resources.requests: raises cpu;',
    quiet: [spec({ resources: { requests: { cpu: '0' } } })],
  },
  {
    name: 'PATCH-V-23j a limit without a request is one',
    list: [cpu({ limits: { cpu: '4' } })],
    says: '[0].patch.spec.containers[0].resources.limits: raises cpu;',
    quiet: [cpu({ limits: { cpu: '4' }, requests: { cpu: '0' } })],
  },
  {
    name: 'PATCH-V-23j a new container with limits alone',
    list: [another({ limits: { cpu: '1' } })],
    says: '[0].patch.spec.containers[0].resources.limits: raises cpu;',
    quiet: [another({})],
  },
  {
    name: 'PATCH-V-23k a limit of a container, and none of the pod',
    list: [cpu({ requests: { 'hugepages-2Mi': '2Mi' } })],
    says: '[0].patch.spec.containers[0].resources.requests: the limit of hugepages-2Mi',
    quiet: [spec({ resources: { requests: { 'hugepages-2Mi': '2Mi' } } })],
  },
])('$name', async ({ name, list, says, quiet }) => {
  const [id] = name.split(' ')
  const told = async (patches: readonly Tree[]) => {
    const words = await allWordsTo(aDaemonSet({ annotation: patches.map((patch) => anEntry(patch)) }))
    return words.filter((line) => line.endsWith(`(${id})`))
  }
  const found = await told(list)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(says)
  expect(await told(quiet)).toEqual([])
})
