import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Fault } from '../src/faults.ts'
import { certificatesIn } from './pem.ts'

/** A certificate, with its chain if there is one, and its key, in PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** What is served, the certificates that whoever calls must trust, and the end of it. */
export interface ServingPair extends KeyPair {
  readonly ca: string
  readonly notAfter: Date
}

/** What somebody else laid down, read once and found fit to serve; otherwise a fault that says what is wrong where. */
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

/** All of it, as it will be served: a chain may be cut off in its second certificate. */
function requireServable({ cert, key }: KeyPair, place: string): void {
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw new Fault('CERTIFICATE', `tls.crt in ${place} cannot be served: put in whole certificates`, { cause })
  }
}

/** The first one, where there is a chain. */
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

/** When two thirds of its life are over, or when the wall clock was set back to before it. */
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
