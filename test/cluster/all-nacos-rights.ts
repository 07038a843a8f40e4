import type { Cluster } from './client.ts'
import { at, nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

/** All that is done about a Nacos: its children are made, its sources labelled, and what is mounted no more is removed. */
export async function useAllNacosRights(cluster: Cluster, namespace: string): Promise<void> {
  const name = namespace // as every name, another one in each namespace
  const { apply, kubectl, read } = nacosIn(cluster, namespace)
  const sources = [sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=2')]
  await apply(...sources, nacosOf(name, { type: 'standalone', replicas: 1 }))
  const isThere = async (name: string) => at(await read('configmaps', name), 'metadata', 'name') === name
  await until('it is configured', () => isThere(`${name}-final-config`))
  const spec = { finalConfigName: `${name}-other` }
  expectDone(await kubectl('patch', 'nacos', name, '--type=merge', '-p', JSON.stringify({ spec })))
  const mounts = async () => JSON.stringify(at(await read('pods', `${name}-0`), 'spec', 'volumes') ?? '')
  await until('its pod mounts the other one', async () => (await mounts()).includes(`"${name}-other"`))
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
  const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]
  expectDone(await kubectl('patch', 'pod', `${name}-0`, ...patch))
  await until('the first one is gone', async () => !(await isThere(`${name}-final-config`)))
  expectDone(await kubectl('delete', 'nacos', name))
}
