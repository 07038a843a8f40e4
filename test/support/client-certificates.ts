import { createPrivateKey, KeyObject } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import type { KeyPair } from '../../certs/pair.ts'

const KEYS = { name: 'ECDSA', namedCurve: 'P-256' } as const
const DAY = 24 * 3_600_000

/** For whoever calls: by its common name, and DNS names if it has any. */
export async function clientPair(authority: KeyPair, name: string, dns: readonly string[] = []): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: new x509.X509Certificate(authority.cert).subjectName,
    publicKey: keys.publicKey,
    signingKey: await createPrivateKey(authority.key).toCryptoKey(KEYS, false, ['sign']),
    notBefore: new Date(Date.now() - DAY), // the clock by which it is verified may be some milliseconds behind
    notAfter: new Date(Date.now() + DAY),
    signingAlgorithm: { ...KEYS, hash: 'SHA-256' },
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension(dns.map((value) => ({ type: 'dns', value }))),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: certificate.toString('pem'), key: key.toString() }
}
