import { describe, expect, it } from 'vitest'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { aDaemonPod } from '../../../support/builders/rollouts.ts'
import { scriptedApiServer } from '../../../support/fakes/api-server.ts'
import { ran } from '../../../support/world.ts'

const aNode = (name: string, labels: object) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } })
const NODES = [aNode('n1', { disk: 'large' }), aNode('n2', {})]
const DAEMONSET = aDaemonSet({ annotation: [anEntry()] })
const BROKEN = aDaemonSet({ annotation: '[{' })
const listed = (...items: readonly unknown[]) => JSON.stringify({ kind: 'List', items })
const explained = (...words: readonly string[]) => ran(['daemonset-patches', 'explain', ...words])
const FILE = listed(DAEMONSET, ...NODES, aDaemonPod())

describe('PATCH-DBG-1 daemonset-patches explain, of files', () => {
  it.each([
    { name: 'one by its name', words: ['demo/agent', '-f', '-'], code: 0, out: 'group 1, patch 0: 1 Node (n1)' },
    {
      name: 'in --namespace',
      words: ['agent', '--namespace=demo', '-f', '-'],
      code: 0,
      out: 'pod agent-n1 on n1: unpatched',
    },
    { name: 'all that have patches', words: ['-f', '-'], code: 0, out: 'daemonsets.apps demo/agent' },
    { name: 'one Node', words: ['-f', '-', '--node=n2'], code: 0, out: 'group 1, no patch: 1 Node (n2)' },
    { name: 'labels of no Node', words: ['-f', '-', '--labels=disk=large,a=b'], code: 0, out: '(disk=large,a=b)' },
    { name: 'as JSON', words: ['-f', '-', '-o', 'json'], code: 0, out: '"daemonSets": [' },
    { name: 'as a page', words: ['-f', '-', '-o', 'html'], code: 0, out: '<!doctype html>' },
    { name: 'none of that name', words: ['demo/other', '-f', '-'], code: 1, out: 'no DaemonSet demo/other' },
    {
      name: 'none with patches',
      words: ['-f', '-'],
      file: listed(aDaemonSet()),
      code: 1,
      out: 'no DaemonSet has node patches',
    },
    { name: 'no such Node', words: ['-f', '-', '--node=n9'], code: 1, out: 'no Node n9' },
    {
      name: 'a list that cannot be read',
      words: ['-f', '-'],
      file: listed(BROKEN, ...NODES),
      code: 1,
      out: 'the list is left out',
    },
    { name: 'two names', words: ['a', 'b', '-f', '-'], code: 2, out: 'name one DaemonSet' },
    { name: 'two Nodes', words: ['-f', '-', '--node=n1', '--labels=a=b'], code: 2, out: 'give one of them' },
    { name: 'another form', words: ['-f', '-', '-o', 'yaml'], code: 2, out: '-o yaml is the form of review' },
    { name: 'files and a cluster', words: ['-f', '-', '--kubeconfig=x'], code: 2, out: 'give one of them' },
  ])('$name', async ({ words, code, out, file = FILE }) => {
    const answer = await ran(['daemonset-patches', 'explain', ...words], {}, file)
    expect(answer.out + answer.err).toContain(out)
    expect(answer.code).toBe(code)
  })

  it('the samples', async () => {
    const answer = await explained('-f', 'manifests/samples/daemonsets', 'manifests/samples/nodes')
    expect(answer).toMatchObject({ code: 0, err: '' })
    expect(answer.out.match(/^daemonsets\.apps/gm)).toHaveLength(4)
  })
})

it.each([
  { name: 'of a cluster', status: 200, code: 0, says: 'group 1, patch 0: 1 Node (n1)' },
  { name: 'which may be out of reach', status: 503, code: 3, says: '503' },
])('PATCH-DBG-1 daemonset-patches explain $name', async ({ status, code, says }) => {
  const server = await scriptedApiServer()
  server.always((call) => {
    if (call.path.includes('apps.kruise.io')) return call.status(404, 'NotFound')
    if (call.path.endsWith('/daemonsets/agent')) return call.json(status, DAEMONSET)
    return call.json(status, {
      kind: 'List',
      metadata: { resourceVersion: '1' },
      items: call.path.endsWith('/nodes') ? NODES : [aDaemonPod()],
    })
  })
  const answer = await explained('demo/agent', '--kubeconfig', server.kubeconfig())
  await server.stop()
  expect(answer.out + answer.err).toContain(says)
  expect(answer.code).toBe(code)
})
