import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { issueAuthority } from '../../../certs/authority.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { rightsGranted } from '../../cluster/rights.ts'
import { fileOf } from '../../support/folders.ts'
import { kinds } from '../../support/kinds.ts'
import { ran } from '../../support/world.ts'

const textOf = async (...args: string[]) => (await ran(['manifests', ...args])).out
const printed = async (...args: string[]) => treesIn(await textOf(...args))
/** In their order, several of one kind counting once. */
const kindsOf = (trees: readonly Tree[]) => [...new Set(trees.map(({ kind }) => kind))]

describe('--set says which, each in the order in which they are safe to apply', () => {
  const SETS = [
    { set: 'crds', kinds: ['CustomResourceDefinition'] },
    { set: 'people', kinds: ['ClusterRole'] },
    { set: 'rbac', kinds: ['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'] },
    { set: 'workloads', kinds: ['Secret', 'Service', 'Deployment', 'PodDisruptionBudget', 'NetworkPolicy'] },
    { set: 'webhooks', kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] },
  ]
  it.each(SETS)('$set', async ({ set, kinds }) => {
    expect(kindsOf(await printed('--set', set))).toEqual(kinds)
  })
  it('all of them when nothing is said, the configurations last', async () => {
    expect(kindsOf(await printed())).toEqual([...new Set(SETS.flatMap(({ kinds }) => kinds))])
  })
})

it('without a family there is neither CRD nor webhook, and no configuration that is there for none', async () => {
  const { out } = await ran(['manifests'], {}, '', async () => [])
  expect(kindsOf(treesIn(out))).not.toContain('CustomResourceDefinition')
  expect(out).not.toMatch(/WebhookConfiguration$/m)
  expect(out).not.toContain('k8s.tars.io')
})

it('printing twice gives the same bytes', async () => {
  expect(await textOf()).toBe(await textOf())
})

describe('--namespace', () => {
  it('is the namespace of all that has one, and of all that refers to it', async () => {
    const text = await textOf('--namespace=elsewhere')
    expect(text).not.toContain('tars-system')
    const namespaces = [...text.matchAll(/namespace: (.*)|--namespace=(.*)/g)].map(([, field, flag]) => field ?? flag)
    expect(new Set(namespaces)).toEqual(new Set(['elsewhere']))
  })
  it('is created', async () => {
    expect(await printed('--namespace=elsewhere')).toContainEqual(
      expect.objectContaining({ kind: 'Namespace', metadata: expect.objectContaining({ name: 'elsewhere' }) }),
    )
  })
})

const DOORS = kinds.flatMap(({ doors }) => doors)
const PATHS = [...new Set(DOORS.map(({ path }) => path))]

describe('how the API server reaches us', () => {
  /** Of all webhooks, alike ones counting once. */
  const clientConfigs = async (...args: string[]) => {
    const configurations = await printed('--set=webhooks', ...args)
    const all = configurations.flatMap(({ webhooks }) => treesOf(webhooks)).map(({ clientConfig }) => clientConfig)
    return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
  }
  it('is our Service, by itself', async () => {
    const service = { namespace: 'tars-system', name: 'tars-webhook-service', port: 443 }
    const found = await clientConfigs()
    expect(found).toEqual(expect.arrayContaining(PATHS.map((path) => ({ service: { ...service, path } }))))
    expect(found).toHaveLength(PATHS.length)
  })
  it.each(['https://10.0.0.1:9443', 'https://10.0.0.1:9443/'])('is %s when --webhook-url says so', async (url) => {
    const found = await clientConfigs('--webhook-url', url)
    expect(found).toEqual(expect.arrayContaining(PATHS.map((path) => ({ url: `https://10.0.0.1:9443${path}` }))))
    expect(found).toHaveLength(PATHS.length)
  })
  it('is told to the webhook as well, whose certificate is for that host then', async () => {
    expect(await textOf('--set=workloads', '--webhook-url=https://a:1')).toContain('- --webhook-url=https://a:1\n')
    expect(await textOf('--set=workloads')).not.toContain('--webhook-url')
  })
  it('is below --secret-path, which the pods read from a Secret and not from their arguments', async () => {
    const word = 'hunter2-hunter2-x'
    const [mutating] = await clientConfigs('--secret-path', word)
    expect(mutating).toMatchObject({ service: { path: `/${word}/mutating` } })
    const text = await textOf('--set=workloads', '--secret-path', word)
    expect(text.split(word)).toHaveLength(2)
  })
  it('takes certificates of --client-ca alone, by --client-names', async () => {
    const { cert, key } = await issueAuthority(new Date())
    const text = await textOf('--set=workloads', '--client-ca', fileOf(cert + key), '--client-names=a,b')
    expect(text).toContain('- --client-names=a,b\n')
    expect(text).toContain('BEGIN CERTIFICATE')
    expect(text).not.toContain('PRIVATE')
  })
  it('names no CA, because an applied caBundle would wipe the one that the webhook wrote', async () => {
    expect(await textOf()).not.toContain('caBundle')
  })
  it('names the CA of --ca, the certificates alone', async () => {
    const { cert, key } = await issueAuthority(new Date())
    const [one, other] = await clientConfigs('--ca', fileOf(`subject=a CA\n${key}${cert}`, 'ca.pem'))
    const { caBundle } = isTree(one) ? one : {}
    expect(Buffer.from(String(caBundle), 'base64').toString()).toBe(`${cert.trim()}\n`)
    expect(other).toMatchObject({ caBundle })
  })
})

it('--aggregate-roles=false leaves the roles of the cluster as they are', async () => {
  expect(await textOf('--set=people')).toContain('aggregate-to-view')
  expect(await textOf('--set=people', '--aggregate-roles=false')).not.toContain('aggregate-to-')
})

it('the settings of rules are told to webhook and worker alike, and what nobody set is not', async () => {
  const flags = ['--mount-host-timezone=false', '--families=tars', '--profile=upstream', '--adopt-managers=a,b']
  const text = await textOf('--set=workloads', ...flags)
  for (const flag of flags) expect(text.match(new RegExp(`- ${flag}$`, 'gm'))).toHaveLength(2)
  expect(text).not.toContain('bcrypt-cost')
  expect(await textOf('--set=workloads')).not.toContain('mount-host-timezone')
})

it('the worker has the rights that its settings use (SC-2)', async () => {
  const granted = async (...args: string[]) => rightsGranted(await textOf('--set=rbac', ...args), 'tars-controller')
  expect(await granted()).toContain('patch nodes')
  expect(await granted('--label-nodes=false')).not.toContain('patch nodes')
  expect(await granted()).not.toContain('delete persistentvolumeclaims')
  expect(await granted('--removed-volume-policy=Delete')).toContain('delete persistentvolumeclaims')
})

it('--image is what the Deployment runs', async () => {
  expect(await textOf('--image=registry/a:1')).toContain('image: registry/a:1\n')
})

describe('--monitoring-label (SV-16)', () => {
  const selectorsOf = async (...args: string[]) =>
    (await textOf('--set=workloads', ...args)).match(/namespaceSelector:\n +matchLabels:\n +(.*)\n/)?.[1]

  it.each([
    { name: 'is metrics=enabled by itself', args: [], label: 'metrics: enabled' },
    {
      name: 'may be the one that every namespace has',
      args: ['--monitoring-label=kubernetes.io/metadata.name=monitoring'],
      label: 'kubernetes.io/metadata.name: monitoring',
    },
  ])('$name', async ({ args, label }) => expect(await selectorsOf(...args)).toBe(label))

  it.each(['metrics', '=enabled', 'a=b,c=d', 'a=b-', 'a/b/c=d'])('is not %s', async (label) => {
    const says = `tars-admission: --monitoring-label takes a label like metrics=enabled, not "${label}"\n`
    expect(await ran(['manifests', '--monitoring-label', label])).toEqual({ code: 2, out: '', err: says })
  })
})

it('--kube-version older than 1.30 leaves out match conditions, which an API server of then may refuse (CV-7)', async () => {
  const webhooksIn = async (...flags: readonly string[]) =>
    (await printed('--set=webhooks', ...flags)).flatMap(({ webhooks }) => treesOf(webhooks))
  const conditions = ({ name, matchConditions }: Tree) => (matchConditions === undefined ? [] : [name])
  const conditioned = DOORS.flatMap(({ name, matchConditions }) => (matchConditions === undefined ? [] : [name]))
  expect(new Set((await webhooksIn()).flatMap(conditions))).toEqual(
    new Set(['mutating-tconfig.tars.io', 'validating-tconfig.tars.io', ...conditioned]),
  )
  expect(conditioned).toContain('guard.tars.io')
  expect((await webhooksIn('--kube-version=1.29')).flatMap(conditions)).toEqual([])
})

it('the Secret is printed without data: empty values would wipe the CA with each kubectl apply', async () => {
  const secret = (await printed('--set=workloads')).find(({ kind }) => kind === 'Secret')
  expect(Object.keys(secret ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'type'])
})

describe('wrong usage is told in a sentence, exit code 2', () => {
  it('a file of --ca without a certificate', async () => {
    const path = fileOf('hello')
    const says = `tars-admission: ${path} holds no certificate in PEM\n`
    expect(await ran(['manifests', '--ca', path])).toEqual({ code: 2, out: '', err: says })
  })
  it('a folder as the file of --ca', async () => {
    const says = 'tars-admission: manifests cannot be read: it is a folder\n'
    expect(await ran(['manifests', '--ca=manifests'])).toEqual({ code: 2, out: '', err: says })
  })
  it('names of callers without the CA of their certificates, which no pod would start with', async () => {
    const says = 'tars-admission: --client-names are those of certificates: --client-ca FILE says whose\n'
    expect(await ran(['manifests', '--client-names=api'])).toEqual({ code: 2, out: '', err: says })
  })
  it('the name of a caller with a comma, which would be two names to the pods', async () => {
    const { cert } = await issueAuthority(new Date())
    const config = fileOf('client-names: ["Acme, Inc"]\n')
    const says = '"Acme, Inc" has a comma, and would be two names to the pods; name a DNS name of that certificate'
    const { code, err } = await ran(['manifests', '--client-ca', fileOf(cert), '--config', config])
    expect({ code, err: err.trim() }).toEqual({ code: 2, err: `tars-admission: ${says}` })
  })
  it('a file of --ca that is not there', async () => {
    const says = 'tars-admission: /none.crt cannot be read: there is no such file or folder\n'
    expect(await ran(['manifests', '--ca=/none.crt'])).toEqual({ code: 2, out: '', err: says })
  })
})

function treesIn(text: string): readonly Tree[] {
  return parseAllDocuments(text).flatMap((document) => treesOf([document.toJS()]))
}
function treesOf(list: unknown): readonly Tree[] {
  return Array.isArray(list) ? list.filter(isTree) : []
}
