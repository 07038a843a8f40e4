import { once } from 'node:events'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { issueLeaf } from '../../certs/authority.ts'
import type { KeyPair } from '../../certs/pair.ts'

/** Somebody else at our address until the test ends, with a leaf of this CA, who admits everything. */
export async function strangerAt(url: string, authority: KeyPair, options: TlsOptions = {}): Promise<void> {
  const pair = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const server = createServer({ ...pair, ...options, ALPNProtocols: ['http/1.1'] }, async (request, response) => {
    const { uid } = JSON.parse(await text(request)).request
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(review))
  })
  await once(server.listen(Number(new URL(url).port), '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
}
