import type { Operation } from 'fast-json-patch'
import type { Built, ClusterWriter, Gvr, ObjectWatcher, Ref, Stored } from '../src/cluster/port.ts'
import { isTree, type Tree } from '../src/schema.ts'
import type { Log } from '../src/telemetry/log.ts'
import { type Clock, every } from '../src/timing/clock.ts'
import { union } from './pem.ts'
import { Pursuit, wordsOf } from './pursuit.ts'
import { pruned } from './replaced.ts'
import type { CertificateSource } from './source.ts'

/** How a webhook reaches us; others in the same configuration are none of our business. */
export interface Ours {
  readonly service: Ref
  /** --webhook-url. Only its origin counts. */
  readonly url?: string | undefined
}

const CONFIGURATION = { group: 'admissionregistration.k8s.io', version: 'v1', scope: 'Cluster' } as const
export const MUTATING: Gvr = {
  ...CONFIGURATION,
  plural: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
}
export const VALIDATING: Gvr = {
  ...CONFIGURATION,
  plural: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
}

/** The certificates to be trusted, and the time by which a CA of ours may be over; without a time none is. */
export interface Trusted {
  readonly ca: string
  readonly now?: Date | undefined
}

/**
 * What makes our webhooks trust us, and no CA of ours that is over; nothing when they do so already. A patch of this kind
 * leaves an installer that applies on the server in full possession of its list (AP-21), and changes nothing if somebody
 * was there meanwhile.
 */
export function bundlePatch(configuration: Built, ours: Ours, trusted: Trusted): readonly Operation[] | undefined {
  const webhooks = Array.isArray(configuration.webhooks) ? configuration.webhooks : []
  const mends = webhooks.flatMap((webhook, i) => mend(webhook, i, ours, trusted))
  if (mends.length === 0) return undefined
  return [{ op: 'test', path: '/metadata/resourceVersion', value: configuration.metadata.resourceVersion }, ...mends]
}

function mend(webhook: unknown, i: number, ours: Ours, trusted: Trusted): readonly Operation[] {
  if (!isTree(webhook) || !isTree(webhook.clientConfig) || !reaches(webhook.clientConfig, ours)) return []
  const bundle = mended(bundleIn(webhook.clientConfig), trusted)
  if (bundle === undefined) return []
  const value = Buffer.from(bundle).toString('base64')
  return [
    { op: 'test', path: `/webhooks/${i}/name`, value: webhook.name },
    { op: 'add', path: `/webhooks/${i}/clientConfig/caBundle`, value },
  ]
}

function mended(bundle: string, { ca, now }: Trusted): string | undefined {
  const whole = union(bundle, ca)
  return (now && pruned(whole ?? bundle, ca, now)) ?? whole
}

/** Whether a clientConfig leads to us. */
export function reaches({ service, url }: Tree, ours: Ours): boolean {
  if (isTree(service)) return service.namespace === ours.service.namespace && service.name === ours.service.name
  const origin = originOf(ours.url)
  return origin !== undefined && originOf(url) === origin
}

function originOf(url: unknown): string | undefined {
  return typeof url === 'string' ? URL.parse(url)?.origin : undefined
}

export function bundleIn({ caBundle }: Tree): string {
  return typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64').toString() : ''
}

export interface BundleMeans {
  /** One that does not exist is no failure: it is mended when it comes. */
  readonly configurations: readonly { readonly of: Gvr; readonly name: string }[]
  readonly ours: Ours
  readonly source: Pick<CertificateSource, 'current' | 'onRenewed'>
  readonly cluster: ObjectWatcher & Pick<ClusterWriter, 'patch'>
  readonly clock: Clock
  readonly log: Log
}

export interface BundleKeeper {
  /** Whether every webhook of ours was seen to trust our CA (SV-11). */
  observed(): boolean
  stop(): void
}

/**
 * Writes our CA into the webhook configurations, again whenever somebody wipes it, and takes out those that are over (CT-4).
 * Never throws.
 */
export function keepBundles({ configurations, source, ...means }: BundleMeans): BundleKeeper {
  const ca = () => source.current().ca
  const kept = configurations.map(({ of, name }) => keepBundle(of, name, ca, means))
  source.onRenewed(() => {
    for (const { again } of kept) again()
  })
  return {
    observed: () => kept.every(({ observed }) => observed()),
    stop() {
      for (const { stop } of kept) stop()
    },
  }
}

type BundleContext = Omit<BundleMeans, 'configurations' | 'source'>

/** Not at each change: a replica that still holds an old CA puts it back at once, and the two would never come to rest. */
const PRUNED_EVERY = 60_000

function keepBundle(of: Gvr, name: string, ca: () => string, { ours, cluster, clock, log }: BundleContext) {
  const ref = { namespace: '', name }
  let newest: { readonly seen: Stored | undefined } | undefined
  let isPruning = true
  const due = (seen: Stored | undefined, now?: Date) => seen && bundlePatch(seen, ours, { ca: ca(), now })

  async function act(seen: Stored | undefined): Promise<void> {
    const operations = due(seen, isPruning ? clock.now() : undefined)
    if (operations === undefined) return
    await cluster.patch(of, ref, operations)
    isPruning = false
    log.info({ configuration: name, kind: of.kind }, 'caBundle written')
  }
  function failed(err: unknown, attempt: number): void {
    log.warn({ configuration: name, kind: of.kind, ...wordsOf(err), err, attempt }, 'caBundle not written')
  }

  const pursuit = new Pursuit({ act, failed, clock })
  function again(): void {
    isPruning = true
    pursuit.again()
  }
  const cancel = every(PRUNED_EVERY, again, clock)
  const following = cluster.follow(of, ref, (seen) => {
    newest = { seen }
    pursuit.tell(seen)
  })
  return {
    again,
    observed: () => newest !== undefined && due(newest.seen) === undefined,
    stop() {
      cancel()
      following.stop()
      pursuit.stop()
    },
  }
}
