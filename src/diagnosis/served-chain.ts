import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { Fault } from '../faults.ts'

const PATIENCE_MS = 5_000

/** The chain that a server presents in a handshake, leaf first. It is only inspected, not trusted. */
export async function chainServedAt(url: string): Promise<readonly X509Certificate[]> {
  const { hostname, port, origin } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const named = isIP(host) === 0 ? { servername: host } : {}
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...named })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return chainOf(socket)
  } catch (cause) {
    throw new Fault('CLUSTER_UNREACHABLE', `${origin} could not be asked: ${whyOf(cause)}`, { cause })
  } finally {
    socket.destroy()
  }
}

function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  const seen = new Set<string>()
  for (let at = socket.getPeerCertificate(true); at?.raw !== undefined && !seen.has(at.fingerprint256); ) {
    seen.add(at.fingerprint256)
    chain.push(new X509Certificate(at.raw))
    at = at.issuerCertificate
  }
  return chain
}

function whyOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : ''
  if (code === 'ECONNREFUSED') return 'nobody listens there'
  if (code === 'ABORT_ERR') return `no handshake within ${PATIENCE_MS / 1_000} s`
  return cause instanceof Error ? cause.message : String(cause)
}
