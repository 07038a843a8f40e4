import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'

/** The certificate that is served there, after it was verified with this CA, in PEM, for this name. */
export async function certificateAt(address: string, ca: string, name = 'localhost'): Promise<PeerCertificate> {
  const servername = isIP(name) === 0 ? { servername: name } : {}
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(address).port), ca, ...servername })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}
