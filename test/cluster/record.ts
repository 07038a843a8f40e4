import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { freePort, startControlPlane } from './control-plane.ts'
import { expectDone, install, tarsAdmission } from './product.ts'

/**
 * `node test/cluster/record.ts` writes test/fixtures/ttemplate-reviews anew: the reviews of TTemplates that a real API
 * server sends for what people and controllers do, and what it was answered. A proxy before the webhook notes them.
 */
const FOLDER = 'test/fixtures/ttemplate-reviews'
const TEMPLATES = '/apis/k8s.tars.io/v1beta2/namespaces/recorded/ttemplates'
const cluster = await startControlPlane()
let step = ''
const counts = new Map<string, number>()

try {
  const { webhook, close } = await install(cluster)
  const ready = await webhook.ready()
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  const proxy = await proxyTo(ready.address, await readFile(ready.ca, 'utf8'))
  await playAll()
  proxy.close()
  await close()
} finally {
  await cluster.stop()
}

async function proxyTo(address: string, ca: string) {
  const authority = await issueAuthority(new Date())
  const leaf = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const proxy = createServer({ ...leaf, ALPNProtocols: ['http/1.1'] }, async (incoming, outgoing) => {
    const body = await text(incoming)
    const answer = await forward(new URL(incoming.url ?? '', address), ca, body)
    await note(incoming.url ?? '', body, answer)
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
  const port = await freePort()
  await new Promise<void>((listening) => proxy.listen(port, '127.0.0.1', listening))
  const caFile = join(cluster.folder, 'proxy-ca.crt')
  await writeFile(caFile, authority.cert)
  const reach = ['--webhook-url', `https://127.0.0.1:${port}`, '--ca', caFile]
  const stdin = await tarsAdmission('manifests', '--set', 'webhooks', ...reach)
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
  return proxy
}

function forward(url: URL, ca: string, body: string): Promise<string> {
  return new Promise((answered, failed) => {
    const headers = { 'content-type': 'application/json' }
    request(url, { method: 'POST', ca, headers }, (response) => text(response).then(answered, failed))
      .on('error', failed)
      .end(body)
  })
}

/** Named as the other fixtures: step, phase, and a number where the step brought several. */
async function note(url: string, body: string, answer: string): Promise<void> {
  const phase = url.startsWith('/mutating') ? 'mutate' : 'validate'
  const base = `${step}.${phase}`
  const many = (counts.get(base) ?? 0) + 1
  counts.set(base, many)
  const name = many === 1 ? base : `${base}.${many}`
  const pretty = (json: string) => `${JSON.stringify(JSON.parse(json), null, 1)}\n`
  await writeFile(join(FOLDER, `${name}.json`), pretty(body))
  await writeFile(join(FOLDER, `${name}.answer.json`), pretty(answer))
}

async function playAll(): Promise<void> {
  const template = (name: string, parent: string, more: object = {}) =>
    JSON.stringify({
      apiVersion: 'k8s.tars.io/v1beta2',
      kind: 'TTemplate',
      metadata: { name, ...more },
      spec: { parent, content: '<tars>\n</tars>\n' },
    })
  const bring = (verb: string, object: string, ...flags: readonly string[]) =>
    cluster.kubectl([verb, '--namespace=recorded', '-f', '-', ...flags], { stdin: object })
  const on = (...args: readonly string[]) => cluster.kubectl([...args, '--namespace=recorded'])
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    '01-create-root': () => bring('create', template('root', 'root')),
    '02-create-child': () => bring('create', template('child', 'root')),
    '03-create-orphan': () => bring('create', template('orphan', 'nowhere')),
    '04-create-dryrun': () => bring('create', template('dry', 'root'), '--dry-run=server'),
    '05-apply': () => bring('apply', template('applied', 'root')),
    '06-apply-again': () => bring('apply', template('applied', 'child')),
    '07-ssa': () => bring('apply', template('owned', 'root'), '--server-side'),
    '08-label-removed': () => on('label', 'tt', 'child', 'tars.io/Parent-'),
    '09-becomes-root': () => on('patch', 'tt', 'owned', '--type=merge', '-p', '{"spec":{"parent":"owned"}}'),
    '10-cycle': () => on('patch', 'tt', 'root', '--type=merge', '-p', '{"spec":{"parent":"child"}}'),
    '11-generate-name': () => bring('create', template('', 'root', { name: undefined, generateName: 'made-' })),
    '12-finalizer': () => bring('create', template('held', 'root', { finalizers: ['example.com/hold'] })),
    '13-delete-held': () => on('delete', 'tt', 'held', '--wait=false'),
    '14-finalizer-removed': () => on('patch', 'tt', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'),
    '15-delete-in-use': () => on('delete', 'tt', 'root'),
    '16-delete': () => on('delete', 'tt', 'applied'),
    '17-delete-collection': () => cluster.request('DELETE', `${TEMPLATES}?fieldSelector=metadata.name=child`),
    '18-namespace-deleted': () => cluster.kubectl(['delete', 'namespace', 'recorded', '--timeout=50s']),
  }
  expectDone(await cluster.kubectl(['create', 'namespace', 'recorded']))
  for (const [name, play] of Object.entries(steps)) {
    step = name
    await play()
  }
}
