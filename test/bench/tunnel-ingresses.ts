import { isTree } from '../../src/schema.ts'
import { doubleWorld } from '../cloudflare/world.ts'
import { auditOf, isWrite } from '../cluster/audited.ts'
import { giveCredentials, SYSTEM, WITH_CLOUDFLARE } from '../cluster/cloudflare-account.ts'
import { anIngress, CLASS, MAIN_TUNNEL } from '../cluster/cloudflare-manifests.ts'
import { startControlPlane } from '../cluster/control-plane.ts'
import { expectDone, installAs, WORKER } from '../cluster/product.ts'
import { until } from '../cluster/until.ts'
import type { Measurement } from './setting.ts'
import type { Row } from './table.ts'

interface TunnelFigures {
  readonly puts: number
  readonly writes: number
  /** From the last create until Cloudflare has all hostnames. */
  readonly lastMs: number
}

/** What it takes to publish many Ingresses that come at once. */
export const tunnelIngresses: Measurement = {
  ids: ['CF-1'],
  async measure({ quick }) {
    const many = quick ? 100 : 1_000
    return [rowOf(many, await figuresOf(many))]
  },
}

async function figuresOf(many: number): Promise<TunnelFigures> {
  await using opened = new AsyncDisposableStack()
  const cluster = opened.adopt(await startControlPlane(), (each) => each.stop())
  const world = opened.use(await doubleWorld())
  const product = opened.adopt(await installAs(cluster, WITH_CLOUDFLARE), (each) => each.close())
  const apply = async (stdin: string) => expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
  await product.worker().start(`--cloudflare-api-url=${world.double.url}`)
  await giveCredentials(cluster, world)
  await apply([CLASS, MAIN_TUNNEL].join('\n---\n'))
  const puts = () => world.double.log.filter(({ method }) => method === 'PUT')
  await until('the tunnel is configured', () => puts().length > 0)
  const before = puts().length
  const audit = auditOf(cluster.auditLog, { ...WORKER, namespace: SYSTEM })
  await apply(Array.from({ length: many }, (_, i) => anIngress(`app-${i}`, `app-${i}.example.com`)).join('\n---\n'))
  const created = performance.now()
  await until('all are published', () => rulesIn(puts().at(-1)?.body) === many + 1)
  const lastMs = performance.now() - created
  await until('all have their address', async () => (await addresses(cluster)) === many, { seconds: 300 })
  const writes = audit().filter((call) => isWrite(call) && call.resource === 'configmaps').length
  return { puts: puts().length - before, writes, lastMs }
}

function rulesIn(body: unknown): number {
  const config = isTree(body) ? body.config : undefined
  return isTree(config) && Array.isArray(config.ingress) ? config.ingress.length : 0
}
async function addresses({ kubectl }: Awaited<ReturnType<typeof startControlPlane>>): Promise<number> {
  const path = '{range .items[*]}{.status.loadBalancer.ingress[0].hostname}{"\\n"}{end}'
  const { stdout } = await kubectl(['get', 'ingress', '-o', `jsonpath=${path}`])
  return stdout.split('\n').filter((line) => line !== '').length
}

const rowOf = (many: number, { puts, writes, lastMs }: TunnelFigures): Row => ({
  id: 'CF-1',
  what: `${many.toLocaleString('en')} Ingresses of one tunnel are created at once, by kubectl: the last hostname at the double of Cloudflare after the last create`,
  goal: '≤ 15 s, ≤ 20 PUTs, ≤ 60 writes of the ConfigMap',
  measured: `${(lastMs / 1_000).toFixed(1)} s, ${puts} PUTs, ${writes} writes`,
  beside: '',
})
