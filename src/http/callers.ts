import type { Socket } from 'node:net'
import { type PeerCertificate, TLSSocket } from 'node:tls'
import { Fault } from '../faults.ts'

/** Callers must present a certificate of this CA (SV-14), and if names are given, one of them. */
export interface Callers {
  /** PEM. */
  readonly ca: string
  readonly names: readonly string[]
}

/** The reason to reject the caller, or undefined. TLS has already verified the certificate against the CA. */
export function callerCheck({ names }: Callers): (socket: Socket) => Fault | undefined {
  const known = new WeakSet<Socket>()
  return (socket) => {
    if (names.length === 0 || known.has(socket)) return undefined
    if (!(socket instanceof TLSSocket) || !namesIn(socket.getPeerCertificate()).some((name) => names.includes(name)))
      return new Fault(
        'CALLER_UNKNOWN',
        'the name in your certificate is not one that may ask here; --client-names has those',
      )
    known.add(socket)
    return undefined
  }
}

/** The common name, by which an API server identifies itself, and the DNS names. */
function namesIn({ subject, subjectaltname = '' }: PeerCertificate): readonly string[] {
  const dns = subjectaltname.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []))
  return [subject.CN ?? [], ...dns].flat()
}
