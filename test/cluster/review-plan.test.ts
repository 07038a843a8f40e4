import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPort, aTServer } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { givenIn, goldens } from '../support/mapped.ts'
import { planned, seeded, treeOf } from '../support/planned.ts'
import { ran } from '../support/world.ts'
import { theCluster } from './cluster.ts'
import { expectDone } from './product.ts'

// What `review --plan -o yaml` prints goes to a real API server, which stores nothing of it.

const cluster = theCluster()
const NAMESPACES = ['shop', 'demo']
const CRDS = ['tservers', 'tendpoints', 'texitedrecords', 'ttrees'].flatMap((plural) => [
  '-f',
  `manifests/crds/${plural}.k8s.tars.io.yaml`,
])

beforeAll(async () => {
  for (const each of NAMESPACES) expectDone(await cluster.kubectl(['create', 'namespace', each]))
  expectDone(await cluster.kubectl(['apply', ...CRDS]))
  expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', ...CRDS]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', ...NAMESPACES, '--wait=false'])
  expectDone(await cluster.kubectl(['delete', ...CRDS]))
}, 120_000)

const taken = (plan: string, ...flags: readonly string[]) =>
  cluster.kubectl(['apply', '--server-side', '--dry-run=server', '-f', '-', ...flags], { stdin: plan })

describe('kubectl and an API server take the plan', () => {
  const files = ['', 'tservers.yaml', 'tdeploy.yaml']
  it.each(files)('of the samples: %s', async (file) => {
    const { out } = await ran(['review', '--plan', '-o', 'yaml', '-f', `manifests/samples/good/${file}`])
    const answer = await taken(out)
    expect(answer, answer.stderr).toMatchObject({ code: 0 })
    expect(answer.stdout).toMatch(/^statefulset.apps\/\S+ serverside-applied \(server dry run\)$/m)
  })

  it.each(goldens)('of %s', async (golden) => {
    const there = seeded(aTTemplate({ namespace: 'shop', name: 'tars.cpp' }), treeOf('shop', 'Demo'))
    const { out } = await planned(givenIn(golden), '-o', 'yaml', ...there)
    const answer = await taken(out)
    expect(answer, answer.stderr).toMatchObject({ code: 0 })
  })

  const odd = [
    'yes',
    '1:30',
    '0777',
    '0o17',
    '-0O17',
    '1__0',
    '2024-05-01',
    'a\u2028---\u2028b',
    'a\u001b[2Jb',
    'a\rb',
    '~',
  ]
  it('with odd texts as they are', async () => {
    const env = odd.map((value, each) => ({ name: `ODD_${each}`, value }))
    const { out } = await planned([aTServer({ normal: [aPort()], k8s: { env } })], '-o', 'yaml')
    const answer = await taken(out, '-o', 'json')
    expect(answer, answer.stderr).toMatchObject({ code: 0 })
    const { items } = JSON.parse(answer.stdout)
    const workload = items.find(({ kind }: { kind: string }) => kind === 'StatefulSet')
    expect(workload.spec.template.spec.containers[0].env).toEqual(expect.arrayContaining(env))
  })
})
