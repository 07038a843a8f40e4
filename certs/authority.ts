import { createPrivateKey, KeyObject, type webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { Extension, X509Certificate } from '@peculiar/x509'
import type { KeyPair } from './pair.ts'

/** A burst of calls is a burst of full handshakes (AP-2), and this key is the cheapest for them. */
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { ...KEYS, hash: 'SHA-256' } as const

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const AUTHORITY_LIFE = 3 * 365 * DAY
export const LEAF_LIFE = 30 * DAY
/** An API server whose clock is behind ours must not find a certificate from the future. */
const SKEW = 5 * MINUTE

/** This subject distinguishes our own CAs from others in a bundle (CT-4). */
export const AUTHORITY = 'CN=tars-admission CA'

export async function issueAuthority(now: Date, name = AUTHORITY): Promise<KeyPair> {
  const x509 = await library()
  const keys = await freshKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    notBefore: shifted(now, -SKEW),
    notAfter: shifted(now, AUTHORITY_LIFE),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return issued(certificate, keys)
}

/** Issues a serving certificate for these hosts: DNS names and addresses, as a URL writes them. */
export async function issueLeaf(authority: KeyPair, hosts: readonly string[], now: Date): Promise<KeyPair> {
  const x509 = await library()
  const issuer = new x509.X509Certificate(authority.cert)
  const keys = await freshKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=tars-admission',
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await createPrivateKey(authority.key).toCryptoKey(KEYS, false, ['sign']),
    notBefore: shifted(now, -SKEW),
    notAfter: earlier(shifted(now, LEAF_LIFE), issuer.notAfter),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await issuerIdentifier(issuer),
    ],
  })
  return issued(certificate, keys)
}

/** OpenSSL expects the issuer's own identifier here, however the issuer computed it. */
async function issuerIdentifier(issuer: X509Certificate): Promise<Extension> {
  const x509 = await library()
  const own = issuer.getExtension(x509.SubjectKeyIdentifierExtension)
  return own === null
    ? x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey)
    : new x509.AuthorityKeyIdentifierExtension(own.keyId)
}

/** Loaded lazily: it takes 100 ms from sources, 35 ms in the bundle, and 15 MB. Its tsyringe needs the polyfill. */
async function library() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

function freshKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
}

function issued(certificate: X509Certificate, { privateKey }: webcrypto.CryptoKeyPair): KeyPair {
  const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: `${certificate.toString('pem')}\n`, key: key.toString() }
}

function alternativeName(host: string): { readonly type: 'dns' | 'ip'; readonly value: string } {
  const value = host.replace(/^\[(.*)\]$/, '$1') // a URL writes IPv6 in brackets
  return { type: isIP(value) === 0 ? 'dns' : 'ip', value }
}

const shifted = (time: Date, ms: number) => new Date(time.getTime() + ms)
const earlier = (one: Date, other: Date) => (one < other ? one : other)
