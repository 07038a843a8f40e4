import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { freePort, startControlPlane } from './control-plane.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

/**
 * `node test/cluster/record-pods.ts` writes test/fixtures/daemonset-pods: pods of DaemonSets as a mutating webhook gets
 * them of a real API server, after its defaults and plugins, and the DaemonSets that they are made of. The pod of
 * OpenKruise is created by hand of a template that is stored without defaults, since its manager is not here.
 */
const FOLDER = 'test/fixtures/daemonset-pods'
const NAMESPACE = 'recorded'
const cluster = await startControlPlane({ amongPods: '127.0.0.1' }) // with service accounts
const reviews: Tree[] = []

const container = {
  name: 'agent',
  image: 'registry.example/agent:1',
  resources: { limits: { cpu: '500m', memory: '64Mi' } },
  ports: [{ containerPort: 9100 }],
}
const template = {
  metadata: { labels: { app: 'agent' } },
  spec: {
    priorityClassName: 'low',
    initContainers: [{ name: 'setup', image: 'registry.example/setup:1' }],
    containers: [container, { name: 'helper', image: 'registry.example/helper' }],
    volumes: [{ name: 'scratch' }],
  },
}
const onHost = { ...template, spec: { ...template.spec, hostNetwork: true } }
const object = (apiVersion: string, kind: string, name: string, more: object) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
})
const daemonSet = (name: string, of: object) =>
  object('apps/v1', 'DaemonSet', name, { spec: { selector: { matchLabels: { app: 'agent' } }, template: of } })

try {
  await mkdir(FOLDER, { recursive: true })
  await listen()
  expectDone(await cluster.kubectl(['create', 'namespace', NAMESPACE]))
  await bring(object('v1', 'Node', 'large-1', { metadata: { name: 'large-1', labels: { disk: 'large' } } }))
  await bring(object('scheduling.k8s.io/v1', 'PriorityClass', 'low', { value: 7, preemptionPolicy: 'Never' }))
  const limits = [{ type: 'Container', default: { memory: '32Mi' }, defaultRequest: { cpu: '10m' } }]
  await bring(object('v1', 'LimitRange', 'usual', { spec: { limits } }))
  const account = object('v1', 'ServiceAccount', 'default', { imagePullSecrets: [{ name: 'pull' }] })
  expectDone(
    await cluster.kubectl(['apply', '--server-side', '--force-conflicts', `-n=${NAMESPACE}`, '-f', '-'], {
      stdin: JSON.stringify(account),
    }),
  )
  await recordNative('native', template)
  await recordNative('native-host', onHost)
  await recordKruise('kruise', template)
  await recordKruise('kruise-host', onHost)
} finally {
  await cluster.stop()
}

async function bring(given: object): Promise<void> {
  expectDone(await cluster.kubectl(['create', `-n=${NAMESPACE}`, '-f', '-'], { stdin: JSON.stringify(given) }))
}

async function recordNative(name: string, of: object): Promise<void> {
  await bring(daemonSet(name, of))
  await until(`a pod of ${name} arrives`, async () => podOf(name) !== undefined)
  await note(name, JSON.parse((await cluster.kubectl(['get', 'ds', name, `-n=${NAMESPACE}`, '-o', 'json'])).stdout))
}

/** As its controller makes it: with the tolerations and the affinity of the pod of the other one. */
async function recordKruise(name: string, of: typeof template): Promise<void> {
  const native = podOf(name.replace('kruise', 'native'))
  const { tolerations, affinity } = isTree(native?.spec) ? native.spec : {}
  const owner = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet', name, uid: 'k1', controller: true }
  const metadata = {
    ...{ generateName: `${name}-`, ownerReferences: [owner] },
    labels: { ...of.metadata.labels, 'controller-revision-hash': '6f9d7c5b8' },
  }
  await bring({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...of.spec, tolerations, affinity } })
  await until(`the pod of ${name} arrives`, async () => podOf(name) !== undefined)
  const spec = { selector: { matchLabels: { app: 'agent' } }, template: of }
  await note(name, {
    ...object('apps.kruise.io/v1alpha1', 'DaemonSet', name, { spec }),
    metadata: { name, namespace: NAMESPACE, uid: 'k1' },
  })
}

function podOf(name: string): Tree | undefined {
  const pods = reviews.map(({ object }) => object).filter(isTree)
  return pods.find(({ metadata }) => isTree(metadata) && metadata.generateName === `${name}-`)
}

async function note(name: string, made: Tree): Promise<void> {
  const { managedFields: _, ...metadata } = isTree(made.metadata) ? made.metadata : {}
  const recorded = { daemonSet: { ...made, metadata, status: undefined }, pod: podOf(name) }
  await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(recorded, null, 1)}\n`)
}

async function listen(): Promise<void> {
  const authority = await issueAuthority(new Date())
  const leaf = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const port = await freePort()
  const server = createServer({ ...leaf, ALPNProtocols: ['http/1.1'] }, async (incoming, outgoing) => {
    const { request } = JSON.parse(await text(incoming))
    reviews.push(request)
    const answer = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: request.uid, allowed: true },
    }
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).unref()
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const webhook = {
    ...{ name: 'pods.recorder.example', admissionReviewVersions: ['v1'], sideEffects: 'None' },
    clientConfig: { url: `https://127.0.0.1:${port}`, caBundle: Buffer.from(authority.cert).toString('base64') },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
  }
  await bring(
    object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'recorder', { webhooks: [webhook] }),
  )
}
