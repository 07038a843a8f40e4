import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Built } from '../src/cluster/port.ts'
import { isTree, type Tree } from '../src/schema.ts'
import { bundleIn, type Ours, reaches } from './ca-bundle.ts'
import { anchorOf, certificatesOf } from './chain.ts'
import { type Replaced, replacedIn } from './replaced.ts'

/** A certificate that was found in place: one that is served, or one that callers trust. */
export interface Part {
  readonly role: 'serving' | 'ca'
  /** The place in words, for messages. */
  readonly place: string
  /** The certificate first, then its chain. */
  readonly chain: readonly X509Certificate[]
}

/** One of our webhooks, as its configuration describes it to the API server. */
export interface Reached {
  readonly configuration: string
  readonly name: string
  /** The name or address that the API server verifies in our certificate. */
  readonly host: string
  readonly bundle: readonly X509Certificate[]
}

export interface Standing {
  readonly source: 'self' | 'files' | 'secret'
  readonly parts: readonly Part[]
  readonly webhooks: readonly Reached[]
}

/** A defect, and its remedy where the defect does not imply it. */
export interface Trouble {
  readonly what: string
  readonly remedy?: string
}

const DAY = 86_400_000

export function troublesOf(standing: Standing, now: Date): readonly Trouble[] {
  return CHECKS.flatMap((check) => check(standing, now))
}

/** Ordered as an operator would repair them. */
const CHECKS: readonly ((standing: Standing, now: Date) => readonly Trouble[])[] = [
  endingParts,
  strangeAuthorities,
  untrusting,
  misnamed,
  overlong,
]

/** Ignores the expiry of unrelated certificates in a bundle. */
function endingParts({ source, parts }: Standing, now: Date): readonly Trouble[] {
  return parts
    .filter((part) => part.role === 'serving' || isNeeded(part, parts))
    .filter(({ chain: [certificate] }) => certificate !== undefined && daysLeft(certificate, now) < 1)
    .map((part) => ({ what: ending(part, now), remedy: RENEWALS[source][part.role] }))
}

/** A CA is needed if a pair leads to it, or if it is the only one. */
function isNeeded({ chain }: Part, parts: readonly Part[]): boolean {
  const authorities = parts.filter(({ role }) => role === 'ca').flatMap((each) => each.chain)
  return (
    authorities.length === 1 ||
    parts.some((part) => part.role === 'serving' && anchorOf(part.chain, authorities) === chain[0])
  )
}

const RENEWALS = {
  self: {
    serving: 'the webhook renews it by itself; its log says "no new serving pair" where it cannot',
    ca: 'remove ca.crt and ca.key from the Secret, and the webhook issues a new CA',
  },
  files: {
    serving: 'put a renewed tls.crt and tls.key into the folder; they are taken up without a restart',
    ca: 'have whoever issues the pair renew its CA, and put both into the folder',
  },
  secret: {
    serving: 'put a renewed tls.crt and tls.key into the Secret; they are taken up without a restart',
    ca: 'have whoever issues the pair renew its CA, and put both into the Secret',
  },
} as const

function ending({ role, place, chain: [certificate] }: Part, now: Date): string {
  const what = `the ${role === 'ca' ? 'CA' : 'serving'} certificate of ${place}`
  if (certificate === undefined) return `${what} is missing`
  const at = certificate.validToDate.toISOString()
  return certificate.validToDate <= now ? `${what} has expired at ${at}` : `${what} expires within a day, at ${at}`
}

/** With `self` we sign the pair ourselves; an external issuer writes pair and CA to one place, and may mix them up. */
function strangeAuthorities({ source, parts }: Standing): readonly Trouble[] {
  const authorities = parts.filter(({ role }) => role === 'ca')
  const placeWithCa = authorities[0]?.place
  if (source === 'self' || placeWithCa === undefined) return []
  const trusted = authorities.flatMap(({ chain }) => chain)
  const pairs = parts.filter(({ role, place }) => role === 'serving' && place === placeWithCa)
  return pairs
    .filter(({ chain }) => anchorOf(chain, trusted) === undefined)
    .map(({ place }) => ({
      what: `tls.crt of ${place} is not signed by the CA of ca.crt there`,
      remedy: 'put the certificate of whoever signed it into ca.crt',
    }))
}

function untrusting({ source, parts, webhooks }: Standing, now: Date): readonly Trouble[] {
  const mustBeTrusted = parts.filter(({ role }) => role === 'serving' || source === 'self')
  return webhooks.flatMap((webhook) =>
    mustBeTrusted
      .filter(({ chain }) => anchorOf(chain, alive(webhook, now)) === undefined)
      .map(({ role, place }) => ({
        what: `${webhook.configuration} does not trust the ${role === 'ca' ? 'CA' : 'certificate'} of ${place} (webhook ${webhook.name})`,
        remedy: TRUST_REMEDY,
      })),
  )
}
const TRUST_REMEDY =
  'a running webhook with --manage-configurations adds its CA; ' +
  'without it: tars-admission manifests --set webhooks --ca FILE | kubectl apply -f -'

/** Our CAs that a webhook trusts beside the one in force (CT-4). */
export function replacedFor({ parts }: Standing, { bundle }: Reached): readonly Replaced[] {
  const inForce = parts.filter(({ role }) => role === 'ca').flatMap(({ chain }) => chain)
  return replacedIn(bundle, inForce)
}

function overlong(standing: Standing, now: Date): readonly Trouble[] {
  return standing.webhooks.flatMap((webhook) => {
    const over = replacedFor(standing, webhook).filter(({ until }) => until <= now)
    return over.map(({ certificate: { validFromDate } }) => ({
      what: `${webhook.configuration} still trusts a replaced CA of ours, issued ${validFromDate.toISOString()} (webhook ${webhook.name})`,
      remedy: 'a running webhook with --manage-configurations takes it out within a minute',
    }))
  })
}

export function trusts(standing: Standing, webhook: Reached, now: Date): boolean {
  return untrusting({ ...standing, webhooks: [webhook] }, now).length === 0
}

const alive = ({ bundle }: Reached, now: Date) => bundle.filter(({ validToDate }) => validToDate > now)

function misnamed({ parts, webhooks }: Standing): readonly Trouble[] {
  const hosts = [...new Set(webhooks.map(({ host }) => host))]
  const leaves = parts.filter(({ role }) => role === 'serving')
  return leaves.flatMap(({ place, chain: [leaf] }) =>
    hosts
      .filter((host) => leaf !== undefined && !isFor(leaf, host))
      .map((host) => ({
        what: `the serving certificate of ${place} is not for ${host}, by which the API server calls`,
        remedy: `have it issued for ${host} too`,
      })),
  )
}

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined
}

export function daysLeft({ validToDate }: X509Certificate, now: Date): number {
  return (validToDate.getTime() - now.getTime()) / DAY
}

/** The webhooks of a configuration that lead to us; without a known URL, all that have one. */
export function reachedBy(configuration: Built, ours: Ours): readonly Reached[] {
  const webhooks = Array.isArray(configuration.webhooks) ? configuration.webhooks : []
  return webhooks.flatMap((webhook) => {
    if (!isTree(webhook) || !isTree(webhook.clientConfig)) return []
    const { clientConfig } = webhook
    const url = ours.url ?? (typeof clientConfig.url === 'string' ? clientConfig.url : undefined)
    if (!reaches(clientConfig, { ...ours, url })) return []
    const found = {
      name: String(webhook.name),
      host: hostIn(clientConfig),
      bundle: certificatesOf(bundleIn(clientConfig)),
    }
    return [{ configuration: `${configuration.kind} ${configuration.metadata.name}`, ...found }]
  })
}

function hostIn({ service, url }: Tree): string {
  if (isTree(service)) return `${service.name}.${service.namespace}.svc`
  return URL.parse(String(url))?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
}
