import type { Operation } from 'fast-json-patch'
import type { Built, ClusterWriter, Gvr, ObjectWatcher, Ref, Stored } from '../src/cluster/port.ts'
import { isTree, type Tree } from '../src/schema.ts'
import type { Log } from '../src/telemetry/log.ts'
import { type Clock, every } from '../src/timing/clock.ts'
import { union } from './pem.ts'
import { Pursuit, wordsOf } from './pursuit.ts'
import { pruned } from './replaced.ts'
import type { CertificateSource } from './source.ts'

/** The addresses by which a webhook reaches us; webhooks of others in the same configuration are left alone. */
export interface Ours {
  readonly service: Ref
  /** The value of --webhook-url. Only its origin counts. */
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

/** The certificates to trust, and the time by which our replaced CAs are removed; without a time none is removed. */
export interface Trusted {
  readonly ca: string
  readonly now?: Date | undefined
}

/**
 * The patch that makes our webhooks trust us and drop our expired CAs; undefined when nothing is missing. A JSON Patch
 * leaves the list to the installer that owns it by server-side apply (AP-21), and its tests fail when another writer was
 * first.
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

export interface BundleKeeperParts {
  /** A configuration that does not exist yet is no failure: it is patched once it is created. */
  readonly configurations: readonly { readonly of: Gvr; readonly name: string }[]
  readonly ours: Ours
  readonly source: Pick<CertificateSource, 'current' | 'onRenewed'>
  readonly cluster: ObjectWatcher & Pick<ClusterWriter, 'patch'>
  readonly clock: Clock
  readonly log: Log
}

export interface BundleKeeper {
  /** Whether all of our webhooks have been seen to trust our CA (SV-11). */
  observed(): boolean
  stop(): void
}

/**
 * Writes our CA into the webhook configurations, restores it whenever another writer removes it, and removes our
 * replaced CAs in time (CT-4). Never throws.
 */
export function keepBundles({ configurations, source, ...parts }: BundleKeeperParts): BundleKeeper {
  const ca = () => source.current().ca
  const kept = configurations.map(({ of, name }) => keepBundle(of, name, ca, parts))
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

type BundleContext = Omit<BundleKeeperParts, 'configurations' | 'source'>

/** Rare, because a replica that still holds an old CA restores it at once, and the two would overwrite each other forever. */
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
