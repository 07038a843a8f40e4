import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { answerToParent } from './child.ts'

/** The baseline: reads, parses, and answers under the right uid. Nothing can be an honest review for less. */
const [folder = ''] = process.argv.slice(2)
const pair = { cert: readFileSync(`${folder}/tls.crt`), key: readFileSync(`${folder}/tls.key`) }
const server = createServer({ ...pair, ALPNProtocols: ['http/1.1'] }, async (request, response) => {
  const { uid } = JSON.parse(await text(request)).request
  const body = JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true },
  })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  answerToParent(typeof address === 'object' && address !== null ? address.port : 0)
})
