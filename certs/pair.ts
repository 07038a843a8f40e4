import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Fault } from '../src/faults.ts'
import { certificatesIn } from './pem.ts'

/** A certificate with its chain, if any, and its key, all in PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** The pair that is served, the certificates that callers must trust, and when the pair expires. */
export interface ServingPair extends KeyPair {
  readonly ca: string
  readonly notAfter: Date
}

/** Checks a pair of an external issuer once; throws a fault that names the defect and the place. */
export function servingPair(found: KeyPair & { readonly ca: string }, place: string, now: Date): ServingPair {
  const certificate = certificateOf(found.cert, `tls.crt in ${place}`)
  requireKey(certificate, found.key, { cert: 'tls.crt', key: `tls.key in ${place}` })
  if (certificatesIn(found.ca).length === 0) {
    throw new Fault('CERTIFICATE', `ca.crt in ${place} holds no certificate: put in that of whoever signed tls.crt`)
  }
  if (isOver(certificate, now)) {
    throw new Fault('CERTIFICATE', `tls.crt in ${place} has expired on ${dayOf(certificate)}: put in a renewed pair`)
  }
  requireServable(found, place)
  return { ...found, notAfter: certificate.validToDate }
}

/** Loads the whole chain as it will be served, since its second certificate may be cut off. */
function requireServable({ cert, key }: KeyPair, place: string): void {
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw new Fault('CERTIFICATE', `tls.crt in ${place} cannot be served: put in whole certificates`, { cause })
  }
}

/** The leaf is the first certificate of a chain. */
export function certificateOf(pem: string, what: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new Fault('CERTIFICATE', `${what} is not a certificate in PEM`, { cause })
  }
}

export function requireKey(certificate: X509Certificate, pem: string, names: KeyPair): KeyObject {
  const key = keyOf(pem, names.key)
  if (certificate.checkPrivateKey(key)) return key
  throw new Fault('CERTIFICATE', `${names.key} is not the key of ${names.cert}: put in both of one pair`)
}

export function isOver({ validToDate }: X509Certificate, now: Date): boolean {
  return validToDate <= now
}

/** A pair is due after two thirds of its life, or when the wall clock was set back to before it. */
export function isDueForRenewal({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  const [start, end] = [validFromDate.getTime(), validToDate.getTime()]
  return now.getTime() < start || now.getTime() >= start + (2 / 3) * (end - start)
}

function keyOf(pem: string, what: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new Fault('CERTIFICATE', `${what} is not a private key in PEM, without a password`, { cause })
  }
}

function dayOf({ validToDate }: X509Certificate): string {
  return validToDate.toISOString().slice(0, 10)
}
