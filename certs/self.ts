import { X509Certificate } from 'node:crypto'
import type { Built, ClusterWriter, Stored } from '../src/cluster/port.ts'
import { Fault } from '../src/faults.ts'
import { isTree } from '../src/schema.ts'
import { issueAuthority, issueLeaf } from './authority.ts'
import { certificateOf, isDueForRenewal, isOver, type KeyPair, requireKey } from './pair.ts'
import { publish } from './publish.ts'
import { type CertificateSource, placeOf, SECRETS, type SecretSourceParts, sourceFrom, textIn } from './source.ts'

export interface SelfParts extends SecretSourceParts {
  readonly cluster: SecretSourceParts['cluster'] & Pick<ClusterWriter, 'replace'>
  /** The hosts of the certificate: `<service>.<namespace>.svc` and the host of --webhook-url. */
  readonly hosts: readonly string[]
  /** The folder for ca.crt, which callers on this machine read. No key is written. */
  readonly certDir: string
}

/**
 * All replicas share the CA of one Secret, which the first replica fills (CT-2). Each replica issues its own pair from
 * it, and the private key never leaves the memory of the process.
 */
export function selfSource({ hosts, certDir, ...parts }: SelfParts): Promise<CertificateSource> {
  const { secret, cluster, clock, log } = parts
  const place = placeOf(secret)

  return sourceFrom(parts, async (found, served) => {
    const now = clock.now()
    const authority = await sharedAuthority(existing(found, place), now)
    if (served?.ca === authority.cert && !isDueForRenewal(new X509Certificate(served.cert), now)) return served
    const pair = await issueLeaf(authority, hosts, now)
    if (served?.ca !== authority.cert) await publish(authority.cert, certDir)
    const { validToDate: notAfter } = new X509Certificate(pair.cert)
    log.info({ notAfter, role: 'leaf' }, 'serving pair issued')
    return { ...pair, ca: authority.cert, notAfter }
  })

  async function sharedAuthority(stored: Stored, now: Date): Promise<KeyPair> {
    const authority = authorityIn(stored, place)
    if (authority !== undefined && !isOver(new X509Certificate(authority.cert), now)) return authority
    const fresh = await issueAuthority(now)
    await cluster.replace(SECRETS, holding(fresh, stored)) // only one of several concurrent writers succeeds
    log.info({ ...secret, role: 'ca' }, 'CA issued')
    return fresh
  }
}

function existing(found: Stored | undefined, place: string): Stored {
  if (found !== undefined) return found
  const remedy = '`tars-admission manifests | kubectl apply -f -` brings it, empty, and the CA is issued into it'
  throw new Fault('CERTIFICATE', `${place} does not exist: ${remedy}`)
}

/** Undefined for an empty Secret. Content that is no CA belongs to another owner and is not overwritten. */
function authorityIn(stored: Built, place: string): KeyPair | undefined {
  const [cert, key] = [textIn(stored, 'ca.crt'), textIn(stored, 'ca.key')]
  if (cert === '' && key === '') return undefined
  try {
    requireAuthority({ cert, key }, place)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const remedy = 'remove ca.crt and ca.key from it, and a new CA is issued'
    throw new Fault('CERTIFICATE', `${cause.message}; ${remedy}`, { cause })
  }
  return { cert, key }
}

function requireAuthority({ cert, key }: KeyPair, place: string): void {
  const certificate = certificateOf(cert, `ca.crt in ${place}`)
  const { asymmetricKeyDetails } = requireKey(certificate, key, { cert: 'ca.crt', key: `ca.key in ${place}` })
  if (!certificate.ca) throw new Fault('CERTIFICATE', `ca.crt in ${place} is not the certificate of a CA`)
  if (asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Fault('CERTIFICATE', `ca.key in ${place} is not an ECDSA key on P-256`)
  }
}

function holding({ cert, key }: KeyPair, stored: Stored): Stored {
  const data = isTree(stored.data) ? stored.data : {}
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return { ...stored, data: { ...data, 'ca.crt': base64(cert), 'ca.key': base64(key) } }
}
