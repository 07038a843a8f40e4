import type { X509Certificate } from 'node:crypto'
import { daysLeft, type Part, type Reached, replacedFor, type Trouble, trusts } from '../../certs/status.ts'
import type { CertificatesFound } from './certs-found.ts'

/** For people: it names certificates and never shows them, and it never mentions a key. */
export function asText(found: CertificatesFound, now: Date): string {
  const { source, parts, webhooks, troubles, unsaid } = found
  const lines = [
    `source: ${source}`,
    ...parts.flatMap((part) => partLines(part, now)),
    ...webhooks.map((webhook) => webhookLine(webhook, found, now)),
    ...section('wrong', troubles),
    ...section('not known', unsaid),
  ]
  return `${[...lines, ...(troubles.length + unsaid.length === 0 ? ['', 'all is well'] : [])].join('\n')}\n`
}

function partLines({ role, place, chain: [certificate] }: Part, now: Date): readonly string[] {
  if (certificate === undefined) return []
  const { subject, names, issuer, notAfter } = factsOf(certificate, now)
  return [
    `${role === 'ca' ? 'CA' : 'serving certificate'} of ${place}`,
    `  subject  ${subject}`,
    ...(names.length === 0 ? [] : [`  for      ${names.join(', ')}`]),
    `  issuer   ${issuer}`,
    `  expires  ${notAfter} (${leftOf(certificate, now)})`,
  ]
}

function leftOf(certificate: X509Certificate, now: Date): string {
  const days = Math.floor(Math.abs(daysLeft(certificate, now)))
  const span = `${days} day${days === 1 ? '' : 's'}`
  return daysLeft(certificate, now) > 0 ? `${span} left` : `${span} ago`
}

function webhookLine(webhook: Reached, found: CertificatesFound, now: Date): string {
  const { name, configuration, bundle } = webhook
  const expired = bundle.filter(({ validToDate }) => validToDate <= now)
  const count = `${bundle.length} certificate${bundle.length === 1 ? '' : 's'}`
  const dead = expired.map(({ subject, validToDate }) => `, ${subject} expired ${validToDate.toISOString()}`)
  const replaced = replacedFor(found, webhook).filter(({ until }) => until > now)
  const leaving = replaced.map(({ until }) => `, a replaced CA of ours until ${until.toISOString()}`)
  const verdict = { yes: 'trusts it', no: 'does NOT trust it', unknown: 'trust not known' }[
    trustOf(webhook, found, now)
  ]
  return `webhook ${name} (${configuration}): ${verdict}; ${count} in its caBundle${[...dead, ...leaving].join('')}`
}

function trustOf(webhook: Reached, found: CertificatesFound, now: Date): 'yes' | 'no' | 'unknown' {
  if (found.parts.length === 0) return 'unknown'
  return trusts(found, webhook, now) ? 'yes' : 'no'
}

function section(title: string, troubles: readonly Trouble[]): readonly string[] {
  if (troubles.length === 0) return []
  const lines = troubles.map(({ what, remedy }) => `  - ${[what, remedy].filter(Boolean).join('; ')}`)
  return ['', `${title}:`, ...lines]
}

export function asJson(found: CertificatesFound, now: Date): string {
  const { source, troubles, unsaid } = found
  const certificates = found.parts.flatMap(({ role, place, chain: [certificate] }) =>
    certificate === undefined ? [] : [{ role, place, ...factsOf(certificate, now) }],
  )
  const end = (webhook: Reached, certificate: X509Certificate) => {
    const replaced = replacedFor(found, webhook).find((each) => each.certificate === certificate)
    return replaced && { replacedUntil: replaced.until.toISOString() }
  }
  const webhooks = found.webhooks.map((webhook) => ({
    name: webhook.name,
    configuration: webhook.configuration,
    host: webhook.host,
    trusts: trustOf(webhook, found, now),
    caBundle: webhook.bundle.map((certificate) => ({ ...factsOf(certificate, now), ...end(webhook, certificate) })),
  }))
  return `${JSON.stringify({ source, certificates, webhooks, wrong: troubles, notKnown: unsaid }, null, 2)}\n`
}

function factsOf(certificate: X509Certificate, now: Date) {
  const { subject, issuer, subjectAltName = '', validToDate } = certificate
  return {
    subject: oneLine(subject),
    names:
      subjectAltName === '' ? [] : subjectAltName.split(', ').map((each) => each.replace(/^(DNS|IP Address):/, '')),
    issuer: oneLine(issuer),
    notAfter: validToDate.toISOString(),
    daysLeft: Math.floor(daysLeft(certificate, now)),
  }
}
const oneLine = (name: string) => name.replaceAll('\n', ', ')
