import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { until } from './until.ts'

// The definitions of the cluster are those of a later version: wider than what this process knows (CV-8).

const cluster = theCluster()
const namespace = 'wider'
const API = 'k8s.tars.io/v1beta2'
let product: Product

const SPEC = '/spec/versions/0/schema/openAPIV3Schema/properties'
const BUSINESS = `${SPEC}/businesses/items/properties`
const WIDER = {
  tservers: [
    { op: 'replace', path: `${SPEC}/spec/properties/k8s/properties/mounts/maxItems`, value: 128 },
    { op: 'replace', path: `${SPEC}/spec/properties/important`, value: { 'x-kubernetes-int-or-string': true } },
    { op: 'add', path: `${SPEC}/spec/properties/later`, value: { type: 'string' } },
  ],
  ttrees: [
    { op: 'replace', path: `${BUSINESS}/show/maximum`, value: 1_000 },
    { op: 'replace', path: `${BUSINESS}/weight`, value: { 'x-kubernetes-int-or-string': true } },
  ],
}

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await write('create', TEMPLATE))
  for (const [plural, operations] of Object.entries(WIDER))
    expectDone(
      await cluster.kubectl(['patch', 'crd', `${plural}.k8s.tars.io`, '--type=json', '-p', JSON.stringify(operations)]),
    )
  await until('the definitions are wider', async () => (await write('create', server(), '--dry-run=server')).code === 0)
  await until('that of trees too', async () => (await write('create', tree(), '--dry-run=server')).code === 0)
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const TEMPLATE = {
  apiVersion: API,
  kind: 'TTemplate',
  metadata: { name: 'tars.cpp' },
  spec: { parent: 'tars.cpp', content: '' },
}
const ECHO = { name: 'EchoObj', port: 18_600 }
const mounts = (count: number, nameOf = (at: number) => `m${at}`) =>
  Array.from({ length: count }, (_, at) => ({
    name: nameOf(at),
    mountPath: `/${nameOf(at)}`,
    source: { emptyDir: {} },
  }))

/** With a mount more than we know to be allowed, unless the case says otherwise. */
function server(spec: object = {}, tars: object = {}): object {
  const usual = { app: 'Demo', server: 'Echo', subType: 'tars', k8s: { mounts: mounts(65) } }
  const program = { tars: { template: 'tars.cpp', servants: [ECHO], ...tars } }
  return { apiVersion: API, kind: 'TServer', metadata: { name: 'demo-echo' }, spec: { ...usual, ...program, ...spec } }
}
function tree(business: object = {}): object {
  const businesses = [
    { name: 'shop', show: 500, weight: 3, createTime: TIME, createPerson: 'ann', mark: '', ...business },
  ]
  return { apiVersion: API, kind: 'TTree', metadata: { name: 'tars-tree' }, businesses, apps: [] }
}
const TIME = '2026-11-19T10:00:00Z'

const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
function write(verb: string, object: object, ...flags: readonly string[]): Promise<Printed> {
  const args = [verb, `--namespace=${namespace}`, '-f', '-', ...flags]
  return cluster.kubectl(args, { stdin: JSON.stringify(object) })
}

const NAMESAKE = 'spec.tars.servants[1].name: "EchoObj" duplicates servants[0]'
const MISSING = 'spec.tars.template: TTemplate wider/none does not exist; create it first, or name another (TS-V15)'
const KEPT = 'tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)'
const DIFFERENT = 'of another shape than this tars-admission knows, so the object is not checked (CV-8)'

describe('one excess does not switch off the rules (CV-8)', () => {
  it('65 mounts do not let two servants of one name pass, nor a template that is missing', async () => {
    const bad = server({}, { template: 'none', servants: [ECHO, { ...ECHO, port: 18_601 }] })
    const { code, stderr } = await write('create', bad)
    expect(stderr).toContain(NAMESAKE)
    expect(stderr).toContain(MISSING)
    expect(code).toBe(1)
  })
  it('what is otherwise good is let in, and judged like any other when it is edited', async () => {
    expect(await write('create', server())).toMatchObject({ code: 0, stderr: '' })
    expectDone(await on('annotate', 'tserver', 'demo-echo', 'a.example.com/b=c'))
    expect((await write('apply', server({}, { template: 'none' }))).stderr).toContain(MISSING)
    const moved = { spec: { tars: null, normal: { ports: [] } } }
    const { stderr } = await on('patch', 'tserver', 'demo-echo', '--type=merge', '-p', JSON.stringify(moved))
    expect(stderr).toContain('spec.tars: block cannot be removed; create another TServer instead (TS-V4)')
    expectDone(await on('delete', 'tserver', 'demo-echo'))
  })
  it('of more than 100 findings the rest is one line', async () => {
    const { stderr } = await write('create', server({ k8s: { mounts: mounts(128, () => 'data') } }))
    const lines = stderr.split('\n').filter((line) => line.startsWith('* '))
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toMatch(/: there are more, of which this is the first; mend those before it, .* \(TS-V14\)$/)
  })
  it('a TTree beyond one limit cannot be deleted', async () => {
    expectDone(await write('create', tree()))
    expect((await on('delete', 'ttree', 'tars-tree')).stderr).toContain(KEPT)
  })
})

describe('what has another shape', () => {
  it('is let in unchecked, with a warning that names the path, and is counted', async () => {
    const before = await unfit('TServer')
    const { code, stderr } = await write('create', server({ important: 'very' }, { template: 'none' }))
    expect(stderr).toBe(`Warning: spec.important: ${DIFFERENT}\n`)
    expect(code).toBe(0)
    await until('it is counted', async () => (await unfit('TServer')) === before + 1) // what is told is kept for a second
    expectDone(await on('delete', 'tserver', 'demo-echo'))
  })
  it('is refused its deletion all the same, where metadata alone decide', async () => {
    const weighty = tree({ weight: 'heavy' })
    expect((await write('replace', weighty)).stderr).toBe(`Warning: businesses[0].weight: ${DIFFERENT}\n`)
    const { code, stderr } = await on('delete', 'ttree', 'tars-tree')
    expect(stderr).toContain(KEPT)
    expect(code).toBe(1)
  })
})

it('a field that is not known is warned of by its path', async () => {
  const { code, stderr } = await write('create', server({ later: 'x' }), '--dry-run=server')
  expect(stderr).toBe(
    'Warning: spec.later: a field that this tars-admission does not know, so no rule looks at it (CV-8)\n',
  )
  expect(code).toBe(0)
})

async function unfit(kind: string): Promise<number> {
  const { metrics } = await product.webhook.ready()
  const shown = await (await fetch(`${metrics}/metrics`)).text()
  const [, count] =
    new RegExp(`^tars_admission_unfit_objects_total.*kind="${kind}".*which="object".* (\\d+)$`, 'm').exec(shown) ?? []
  return Number(count ?? 0)
}
