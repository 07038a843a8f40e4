import type { Place } from './all-rights.ts'
import type { Cluster } from './client.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

const GROUPS = ['apps/v1', 'apps.kruise.io/v1beta1'] as const
const LIST = 'daemonset.kruise.io/patches'
const listWith = (patch: object) =>
  JSON.stringify([
    {
      selector: { matchLabels: { 'patched-rights': 'yes' } },
      patch,
    },
  ])

const inEnv = (value: string) => listWith({ spec: { containers: [{ name: 'agent', env: [{ name: 'A', value }] }] } })

/** All that node patches ask for, of DaemonSets of both groups; nothing controls those of the second. */
export async function useAllPatchRights(cluster: Cluster, { namespace }: Place): Promise<void> {
  const node = `patched-${namespace}`
  const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
  const create = (object: object) =>
    cluster.kubectl(['create', `--namespace=${namespace}`, '-f', '-'], { stdin: JSON.stringify(object) })
  expectDone(
    await create({ apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels: { 'patched-rights': 'yes' } } }),
  )
  for (const apiVersion of GROUPS) {
    const [group = ''] = apiVersion.split('/')
    const named = `daemonsets.${group}`
    const name = `${namespace}-${group}`
    const labels = { app: name }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } }
    const metadata = { name, annotations: { [LIST]: inEnv('1') } }
    const withClass = { name, annotations: { [LIST]: listWith({ spec: { runtimeClassName: `absent-${namespace}` } }) } }
    const aDaemonSet = (metadata: object) => ({
      apiVersion,
      kind: 'DaemonSet',
      metadata,
      spec: { selector: { matchLabels: labels }, template },
    })
    expectDone(await create(aDaemonSet(metadata)))
    expectDone(await create(aDaemonSet({ ...withClass, name: `${name}-class` }))) // a look-up of the class
    const uid = (await on('get', named, name, '-o', 'jsonpath={.metadata.uid}')).stdout
    const aPod = (owner: object, nodeName: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'by-hand-',
        labels: { ...labels, 'controller-revision-hash': 'by-hand' },
        ownerReferences: [{ apiVersion, kind: 'DaemonSet', name, uid, controller: true, ...owner }],
      },
      spec: { ...template.spec, nodeName },
    })
    expectDone(await create(aPod({ name: `absent-${namespace}` }, node))) // a look-up of the owner
    await until('a Node is looked up, and its absence told', async () => {
      const { stderr } = await create(aPod({}, `absent-${namespace}`))
      return stderr.includes('(PATCH-POD-30)')
    })
    expectDone(await create(aPod({}, node)))
    expectDone(await on('annotate', named, name, '--overwrite', `${LIST}=${inEnv('2')}`))
    const reads = (path: string) => on('get', named, name, '-o', `jsonpath={${path}}`)
    await until(`the rollout of ${name} is told`, async () =>
      (await reads('.status.conditions[*].type')).stdout.includes('NodeLabelPatchesSynced'),
    )
    await until(`pods of ${name} are marked`, async () => {
      const { stdout } = await on('get', 'pods', '-l', `app=${name}`, '-o', 'json')
      return group === 'apps' || stdout.includes('-stale')
    })
    expectDone(await on('delete', named, name, `${name}-class`))
  }
  expectDone(await cluster.kubectl(['delete', 'node', node]))
}
