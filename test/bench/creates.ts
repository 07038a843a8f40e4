import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { startControlPlane } from '../cluster/control-plane.ts'
import { expectDone, install } from '../cluster/product.ts'
import { postsTo } from './keep-alive-client.ts'
import type { Measurement } from './setting.ts'
import { quotients, spreadOf } from './table.ts'
import { template } from './templates.ts'

const GROUP = 'bench.tars.io'
const CRD = 'manifests/crds/ttemplates.k8s.tars.io.yaml'
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
      for (let i = 0; i < each; i += 1) took.push(await post(pathIn(group), bodyIn(group, `t-${round}-${i}`)))
      return took.sort((one, other) => one - other)[Math.floor(each / 2)] ?? Number.NaN
    }
    const measured: { ours: number[]; without: number[] } = { ours: [], without: [] }
    try {
      expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(definitionWithoutUs()) }))
      expectDone(await cluster.kubectl(['wait', '--for=condition=Established', `crd/ttemplates.${GROUP}`]))
      for (const group of GROUPS) await post(pathIn(group), bodyIn(group, 'root'))
      for (const group of GROUPS) await median(group, -1) // warm
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
        what: `p50 of one create through mutating and validating webhook, one client, real API server, ${rounds} × ${each} creates, by that without webhooks`,
        goal: '≤ 1.7 ×',
        measured: spreadOf(quotients(ours, without)),
        beside: `${spreadOf(ours, 2, ' ms')}, without ${spreadOf(without, 2, ' ms')}`,
      },
    ]
  },
}

const OURS = 'k8s.tars.io'
const GROUPS = [OURS, GROUP]
const pathIn = (group: string) => `/apis/${group}/v1beta2/namespaces/default/ttemplates`

function bodyIn(group: string, name: string): object {
  const { metadata, spec, kind } = template(name, 'root', BYTES)
  return { apiVersion: `${group}/v1beta2`, kind, metadata: { name: metadata.name }, spec }
}

/** The same resource in a group that no webhook is registered for. */
function definitionWithoutUs(): object {
  const { spec, ...definition } = parse(readFileSync(CRD, 'utf8'))
  return { ...definition, metadata: { name: `ttemplates.${GROUP}` }, spec: { ...spec, group: GROUP } }
}
