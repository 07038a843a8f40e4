import { isSame, valueAt } from '../../kit/admission.ts'
import type { Asking, Built, Fact } from '../../kit/controller.ts'
import { Refused } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../daemonsets.ts'
import { supported } from '../metrics.ts'
import { LABELS } from '../names.ts'
import { CRD, CRD_NAME, type ServedVersion, servedVersions } from './definition.ts'

/**
 * What becomes of spec.patches: `pruned` by the schema of the definition before any webhook is called, or `stripped` by a
 * webhook or a conversion afterwards.
 */
export type Support = 'kept' | 'pruned' | 'stripped' | 'unknown'
const RESULTS: readonly unknown[] = ['kept', 'pruned', 'stripped', 'unknown'] satisfies Support[]
/** By served version. */
export type SupportByVersion = Readonly<Record<string, Support>>

/** The configuration of OpenKruise, whose webhook strips the field. */
const KRUISE_MUTATING = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  scope: 'Cluster',
} as const

/** PATCH-API-8 */
export const SUPPORT: Fact<SupportByVersion> = {
  name: 'daemonset-patches-support',
  everyMs: 300_000,
  follows: [
    { of: CRD, name: CRD_NAME },
    { of: KRUISE_MUTATING, name: 'kruise-mutating-webhook-configuration' },
  ],
  needs: [{ resource: KRUISE_DAEMONSET, asks: ['dry-run create'], within: 'home' }],
  until: { [KRUISE_DAEMONSET.version]: 'unknown', [KRUISE_DAEMONSET_ALPHA.version]: 'unknown' },
  is: isSupport,
  ask: async ({ live, home }) => supportOf(await probed({ live, home })),
  measured: (answer) =>
    [KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA].flatMap(({ version }) => supported(version, answer[version])),
}

function isSupport(value: unknown): value is SupportByVersion {
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => RESULTS.includes(each))
}

export interface ProbedVersion extends ServedVersion {
  readonly result: Support
}
const supportOf = (versions: readonly ProbedVersion[]): SupportByVersion =>
  Object.fromEntries(versions.map(({ of, result }) => [of.version, result]))

/** One version after the other; nothing is stored. */
export async function probed({ live, home }: Pick<Asking, 'live' | 'home'>): Promise<readonly ProbedVersion[]> {
  const results: ProbedVersion[] = []
  for (const served of await servedVersions(live))
    results.push({ ...served, result: await resultOf(served, live, home) })
  return results
}

/** A failure of the API server is thrown, so that the last result counts on. */
async function resultOf({ of, hasField }: ServedVersion, live: Asking['live'], home: string): Promise<Support> {
  try {
    const answer = await live.dryRun(of, probeOf(of, home), 'create')
    if (isKept(valueAt(answer, 'spec.patches'))) return 'kept'
    return hasField ? 'stripped' : 'pruned'
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    return cause.message.includes('(PATCH-API-9)') ? 'stripped' : 'unknown' // a person is no exempt caller
  }
}

/** A definition may have defaults for the other fields. */
const isKept = (patches: unknown) => Array.isArray(patches) && isSame(valueAt(patches[0], 'patch'), PATCH)

const NOWHERE = { [LABELS.probe]: 'nowhere' }
const PATCH = { metadata: { annotations: { probe: 'kept' } } }

/** Without what OpenKruise defaults, since its webhook strips unknown fields whenever it adds one. */
function probeOf({ group, version, kind }: ServedVersion['of'], namespace: string): Built {
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: '', generateName: 'daemonset-patches-probe-', namespace, labels: { [LABELS.probe]: '' } },
    spec: {
      selector: { matchLabels: NOWHERE },
      template: {
        metadata: { labels: NOWHERE },
        spec: { nodeSelector: NOWHERE, containers: [{ name: 'probe', image: 'probe' }] },
      },
      patches: [{ selector: { matchLabels: NOWHERE }, patch: PATCH }],
    },
  }
}
