import type { Built } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { startControlPlane } from '../cluster/control-plane.ts'
import { expectDone, install } from '../cluster/product.ts'
import { postsTo } from './keep-alive-client.ts'
import { server, template } from './objects.ts'
import { sized } from './reviews.ts'
import type { Measurement } from './setting.ts'
import { quotients, spreadOf } from './table.ts'

const GROUP = 'bench.tars.io'
const BYTES = 4_096

/** What somebody who writes one object after the other sees of us, on a real API server. */
export const creates: Measurement = {
  ids: ['PF-14'],
  async measure({ quick }) {
    const { rounds, each } = quick ? { rounds: 3, each: 20 } : { rounds: 9, each: 200 }
    const cluster = await startControlPlane()
    const product = await install(cluster)
    const { post, close } = postsTo(cluster, 1)
    const median = async (group: string, round: number) => {
      const took: number[] = []
      for (let i = 0; i < each; i += 1)
        took.push(await post(pathIn(group), serverIn(group, `demo-round${round}of${i}`)))
      return took.sort((one, other) => one - other)[Math.floor(each / 2)] ?? Number.NaN
    }
    const measured: { ours: number[]; without: number[] } = { ours: [], without: [] }
    try {
      const definition = await cluster.kubectl(['get', '-o', 'json', `crd/tservers.${OURS}`])
      expectDone(definition)
      const stdin = JSON.stringify(withoutUs(JSON.parse(definition.stdout)))
      expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin }))
      expectDone(await cluster.kubectl(['wait', '--for=condition=Established', `crd/tservers.${GROUP}`]))
      await post(`/apis/${OURS}/v1beta2/namespaces/default/ttemplates`, bodyIn(OURS, template('root', 'root')))
      for (const group of [OURS, GROUP]) await median(group, rounds) // warm
      for (let round = 0; round < rounds; round += 1) {
        measured.without.push(await median(GROUP, round))
        measured.ours.push(await median(OURS, round))
      }
    } finally {
      close()
      await product.close()
      await cluster.stop()
    }
    const { ours, without } = measured
    return [
      {
        id: 'PF-14',
        what: `p50 of one create of a TServer of 4 KB through mutating and validating webhook, one client, real API server, ${rounds} × ${each} creates, by that without webhooks`,
        goal: '≤ 1.7 ×',
        measured: spreadOf(quotients(ours, without)),
        beside: `${spreadOf(ours, 2, ' ms')}, without ${spreadOf(without, 2, ' ms')}`,
      },
    ]
  },
}

const OURS = 'k8s.tars.io'
const pathIn = (group: string) => `/apis/${group}/v1beta2/namespaces/default/tservers`
const serverIn = (group: string, name: string) => sized(BYTES, (filling) => bodyIn(group, server(name, filling)))

function bodyIn(group: string, { metadata, ...body }: Built): Tree {
  return { ...body, apiVersion: `${group}/v1beta2`, metadata: { name: metadata.name } }
}

/** The same resource in a group that no webhook is registered for. */
function withoutUs({ apiVersion, kind, spec }: Tree): Tree {
  const metadata = { name: `tservers.${GROUP}` }
  return { apiVersion, kind, metadata, spec: { ...(isTree(spec) && spec), group: GROUP } }
}
