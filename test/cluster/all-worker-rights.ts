import type { Place } from './all-rights.ts'
import type { Cluster } from './client.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

/** All that a worker does only when it has to, in one namespace. Every name differs from that in another namespace. */
export async function useAllWorkerRights(cluster: Cluster, { namespace, server: word }: Place): Promise<void> {
  const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
  const done = async (...args: readonly string[]) => expectDone(await on(...args))
  const create = async (...objects: readonly object[]) => {
    const stdin = objects.map((object) => JSON.stringify(object)).join('\n---\n')
    expectDone(await cluster.kubectl(['create', `--namespace=${namespace}`, '-f', '-'], { stdin }))
  }
  const patch = (named: string, fields: object) => done('patch', named, '--type=merge', '-p', JSON.stringify(fields))
  const comes = (what: string, named: string, path = '{.metadata.name}', wanted = /\S/) =>
    until(what, async () => wanted.test((await on('get', named, '-o', `jsonpath=${path}`)).stdout))
  const goes = (named: string) =>
    until(`${named} is gone`, async () => (await on('get', named)).stderr.includes('not found'))
  const named = (app: string, end: string) => `${app}-${word}${end}`.toLowerCase()
  const [server, deployed, thwarted] = [named('Game', 'One'), named('Demo', 'Two'), named('Demo', 'Three')]

  await create(ours('TTemplate', namespace, { spec: { parent: namespace, content: '' } }))
  await create(ours('TDeploy', namespace, { apply: specOf(namespace, `${word}Two`) }))
  await patch(`tdeploy/${namespace}`, { approve: { person: 'ann', time: TIME, reason: 'test', result: true } })
  await comes('the request is deployed', `tdeploy/${namespace}`, '{.deployed}', /true/)
  await comes('its objects are made', `statefulset/${deployed}`)
  const kept = ours('TServer', thwarted, { spec: specOf(namespace, `${word}Three`) })
  await create(foreignService(thwarted), kept)
  await comes('a foreign Service is reported', 'events', '{.items[*].reason}', /OutControl/)
  await done('delete', `tserver/${thwarted}`, `service/${thwarted}`)
  await create(ours('TServer', server, { spec: { ...specOf(namespace, `${word}One`, 'Game'), release } }))
  await comes('pods are counted', `tserver/${server}`, '{.status.currentReplicas}', /1/)
  await comes('and listed', `tendpoint/${server}`, '{.status.pods[*].name}')

  const claimed = { mounts: [{ name: 'data', mountPath: '/data', source: { tLocalVolume: {} } }] }
  await patch(`tserver/${server}`, { spec: { k8s: claimed } })
  await comes('its pod has the claim', `pod/${server}-0`, '{.spec.volumes[*].name}', /\bdata\b/)
  await comes('the pod before is recorded', `texitedrecord/${server}`, '{.pods[*].name}')
  await patch(`tserver/${server}`, { spec: { k8s: { mounts: [] } } })
  await patch(`tserver/${server}`, { spec: { k8s: { daemonSet: true } } })
  await comes('it is a DaemonSet', `daemonset/${server}`)
  await goes(`statefulset/${server}`)
  await patch(`tserver/${server}`, { spec: { k8s: { daemonSet: false } } })
  await goes(`daemonset/${server}`)
  await done('delete', `tserver/${server}`, `tserver/${deployed}`)

  await create(version(namespace, word, 'v1'), version(namespace, word, 'v2'))
  await comes('the first is not in force', `tconfig/${namespace}-v1`, '{.activated}', /false/)
  await done('delete', `tconfig/${namespace}-v2`)
  await goes(`tconfig/${namespace}-v1`)
  await create(account(namespace))
  await patch(`taccount/${namespace}`, { spec: { authentication: { tokens: expired } } })
  await until(
    'its token has expired',
    async () => !(await on('get', 'taccount', namespace, '-o', 'json')).stdout.includes('expired-token'),
  )
  const node = `node/${namespace}`
  expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(nodeFor(namespace)) }))
  await comes('the node is labelled', node, '{.metadata.labels}', /"tars\.io\/node":/)
  expectDone(await cluster.kubectl(['delete', node]))
}

const TIME = '2022-03-01T08:00:00Z'
const release = { id: 'r1', image: 'demo/echo:r1', nodeImage: 'demo/node:r1' }

const ours = (kind: string, name: string, fields: object) => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind,
  metadata: { name },
  ...fields,
})
const specOf = (template: string, server: string, app = 'Demo') => ({
  app,
  server,
  subType: 'tars',
  tars: { template, servants: [{ name: 'EchoObj', port: 10_000 }] },
  k8s: { replicas: 1 },
})
const foreignService = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }] },
})
const version = (namespace: string, server: string, content: string) =>
  ours('TConfig', `${namespace}-${content}`, { app: 'Demo', server, configName: 'main.conf', configContent: content })
const nodeFor = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: namespace, labels: { [`tars.io/node.${namespace}`]: '' } },
})
const account = (username: string) =>
  ours('TAccount', username, {
    spec: {
      username,
      authentication: { bcryptPassword: `$2a$10$${'a'.repeat(53)}`, tokens: [], activated: true },
      authorization: [],
    },
  })
const expired = [{ name: 'expired-token', content: 'a', expirationTime: TIME, updateTime: TIME, valid: true }]
