import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from '../cluster.ts'
import { WEBHOOKS } from '../product.ts'
import { type Installation, installed, type OurPod } from './installed.ts'
import { figuresOf, groundFor, loadOn, passed } from './load.ts'

const cluster = theCluster()
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)

const SECRET = 'secret/tars-webhook-certs'
const CONFIGURATIONS = [
  'mutatingwebhookconfiguration/tars-admission-mutating',
  'mutatingwebhookconfiguration/daemonset-patches-mutator',
  'validatingwebhookconfiguration/tars-admission-validating',
  'validatingwebhookconfiguration/daemonset-patches-validator',
]
const SERVED_FOR = 'tars-webhook-service.tars-system.svc'

describe('five replicas that start at once on an empty Secret (RL-5)', () => {
  it('share one CA, which every webhook trusts, and no call fails by its certificate', async () => {
    const ground = await groundFor(cluster, 'together')
    const before = await authority()
    await ours.scale(0)
    await ours.settled()
    await ours.kubectl('patch', SECRET, '--type=merge', '-p', '{"data":null}')
    const load = await loadOn(cluster, ground, { perSecond: 100 })
    await ours.scale(5)
    await passed(3_000)
    const pods = await ours.pods()
    const borne = await load.stop()
    process.stdout.write(`five replicas at once: ${figuresOf(borne)}\n`)

    expect(borne.created.length).toBeGreaterThan(200)
    expect(borne.failed.filter(({ message }) => !message.includes('no endpoints available'))).toEqual([])
    expect(await Promise.all(pods.map(failedHandshakes))).toEqual([0, 0, 0, 0, 0])
    const ca = await authority()
    expect(ca).not.toBe(before)
    const bundles = (await Promise.all(CONFIGURATIONS.map(trusted))).flat()
    expect(bundles).toHaveLength(WEBHOOKS)
    for (const bundle of bundles) expect(bundle).toEqual([before, ca])
    const leaves = await Promise.all(pods.map((pod) => leafOf(pod, ca)))
    expect(new Set(leaves).size, 'each has a certificate of its own').toBe(5)
    expect(pods.map(({ restarts }) => restarts)).toEqual([0, 0, 0, 0, 0])
  }, 180_000)
})

async function authority(): Promise<string> {
  const data = JSON.parse(await ours.kubectl('get', SECRET, '-o', 'jsonpath={.data}'))
  return Buffer.from(data['ca.crt'], 'base64').toString().trim()
}

/** The certificates of each bundle, in the order of the webhooks. */
async function trusted(configuration: string): Promise<readonly (readonly string[])[]> {
  const { webhooks } = JSON.parse(await ours.kubectl('get', configuration, '-o', 'json'))
  return webhooks.map(({ clientConfig }: { readonly clientConfig: { readonly caBundle: string } }) =>
    Buffer.from(clientConfig.caBundle, 'base64')
      .toString()
      .match(/-----BEGIN[\s\S]*?-----END CERTIFICATE-----/g),
  )
}

/** Its serial number; rejected unless the pod serves what the API server would accept. */
async function leafOf({ address }: OurPod, ca: string): Promise<string> {
  const socket = connect({ host: address, port: 9443, ca, servername: SERVED_FOR })
  await once(socket, 'secureConnect')
  const leaf = socket.getPeerX509Certificate()
  socket.destroy()
  if (!leaf?.verify(new X509Certificate(ca).publicKey)) throw new Error(`${address} serves no leaf of this CA`)
  return leaf.serialNumber
}

async function failedHandshakes({ address }: OurPod): Promise<number> {
  const metrics = await (await fetch(`http://${address}:8080/metrics`)).text()
  const [, count] = /^tars_admission_tls_errors_total (\d+)$/m.exec(metrics) ?? []
  return Number(count)
}
