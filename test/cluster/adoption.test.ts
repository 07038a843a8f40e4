import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { rightsUsed } from './rights.ts'

const cluster = theCluster()
const namespace = 'adoption'
const inNamespace = `--namespace=${namespace}`
const READER = { namespace, name: 'reader' }
const ORPHAN = 'spec.parent: TTemplate adoption/nowhere does not exist; create it first, or name another (TT-V2)'
let product: Product | undefined

/** Our definitions alone, and what people have written without us. */
beforeAll(async () => {
  expectDone(await cluster.kubectl(['apply', '-f', 'manifests/crds']))
  expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', '-f', 'manifests/crds']))
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  for (const [name, parent] of Object.entries({ root: 'root', child: 'root', orphan: 'nowhere' }))
    expectDone(await create(name, parent))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  if (product !== undefined) return product.uninstall()
  expectDone(await cluster.kubectl(['delete', '-f', 'manifests/crds']))
}, 120_000)

function create(name: string, parent: string): Promise<Printed> {
  const object = {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTemplate',
    metadata: { name },
    spec: { parent, content: '<tars>\n</tars>' },
  }
  return cluster.kubectl(['create', inNamespace, '-f', '-'], { stdin: JSON.stringify(object) })
}
const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])

function review(kubeconfig: string, ...args: readonly string[]): Promise<Printed> {
  const { promise, resolve } = Promise.withResolvers<Printed>()
  const words = ['src/bin/tars-admission.ts', 'review', '--from-cluster', '--kubeconfig', kubeconfig, ...args]
  const child = execFile('node_modules/.bin/node', words, (_, stdout, stderr) =>
    resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  )
  return promise
}

describe('first a review of what is there (UX-2)', () => {
  it('tells what would be refused and what would be completed, with no right but to list', async () => {
    const kubeconfig = await readerOf('list')
    const { code, stdout } = await review(kubeconfig, '--namespace', namespace)
    expect(stdout).toBe(
      [
        'refused if created today; stored as they are they may be edited:',
        `TTemplate adoption/orphan: ${ORPHAN}`,
        '',
        'completed by the next write:',
        'TTemplate: metadata.labels[tars.io/Parent] — 2 objects: adoption/child, adoption/orphan',
        '',
        'objects by rule:',
        'TT-V2: 1 as new, 0 even unchanged; in adoption (1)',
        '',
        '3 objects: 2 admitted, 1 refused as new, 0 refused even unchanged, 2 would be completed\n',
      ].join('\n'),
    )
    expect(code).toBe(1)
    const used = rightsUsed(cluster.auditLog, READER)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((right) => !right.startsWith('list '))).toEqual([])
  })

  it('says which right is missing', async () => {
    const { code, stdout, stderr } = await review(cluster.kubeconfig('eve'))
    expect(stderr).toContain('ttemplates.k8s.tars.io')
    expect(stderr).toContain('in all namespaces is missing (the API server answers 403 Forbidden)')
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  })

  async function readerOf(verb: string): Promise<string> {
    const { name } = READER
    const role = ['create', 'role', name, `--verb=${verb}`, '--resource=*.k8s.tars.io,nacos.nacos.io']
    expectDone(await on('create', 'serviceaccount', name))
    expectDone(await on(...role))
    expectDone(await on('create', 'rolebinding', name, `--role=${name}`, `--serviceaccount=${namespace}:${name}`))
    return cluster.kubeconfigFor(READER)
  }
})

describe('then a week of warnings (UX-3)', () => {
  beforeAll(async () => {
    product = await install(cluster, '--enforce', 'warn')
  }, 120_000)

  it('in which a bad object is stored, its author reads why it should not be, and it is counted', async () => {
    const { code, stderr } = await create('tolerated', 'nowhere')
    expect(stderr).toBe(`Warning: would be refused: ${ORPHAN}\n`)
    expect(code).toBe(0)
    expect(await metrics()).toMatch(/kind="TTemplate".*result="would_refuse"/)
    expect(await metrics()).not.toMatch(/result="denied"/)
  })
})

describe('and then it refuses', () => {
  beforeAll(async () => {
    await product?.webhook.stop()
    await product?.webhook.start('--enforce', 'refuse')
  }, 120_000)

  it('what is new and bad', async () => {
    expect((await create('refused', 'nowhere')).stderr).toBe(`The TTemplate "refused" is invalid: ${ORPHAN}\n`)
  })

  it.each(['orphan', 'tolerated'])('but %s, which is stored, can still be edited otherwise', async (name) => {
    expectDone(await on('patch', 'ttemplate', name, '--type=merge', '-p', '{"spec":{"content":"<tars/>"}}'))
    expectDone(await on('annotate', 'ttemplate', name, 'a.example.com/b=c'))
    const worse = await on('patch', 'ttemplate', name, '--type=merge', '-p', '{"spec":{"parent":"nowhere-else"}}')
    expect(worse.stderr).toContain('nowhere-else does not exist')
  })

  it('and what it lets in is completed', async () => {
    const { stdout } = await on('get', 'ttemplate', 'orphan', '-o', 'jsonpath={.metadata.labels}')
    expect(JSON.parse(stdout)).toEqual({ 'tars.io/Parent': 'nowhere' })
  })
})

async function metrics(): Promise<string> {
  const ready = await product?.webhook.ready()
  return (await fetch(`${ready?.metrics}/metrics`)).text()
}
