import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { aTAccount } from '../../support/builders/accounts.ts'
import { aTConfig, DELETING } from '../../support/builders/configs.ts'
import { aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../../support/fakes/api-server.ts'
import { type Ran, ran } from '../../support/world.ts'
import { aTTree, child, OURS, root, stored } from './cluster-objects.ts'

const SUMMARY = 'admitted, 0 refused as new, 0 refused even unchanged, 0 would be completed\n'
const ORPHAN = 'spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)'

let server: ApiServer
let calls: Call[]
beforeEach(async () => {
  server = await scriptedApiServer()
  calls = []
})
afterEach(() => server.stop())

/** On a cluster that holds these. */
function reviewed(objects: readonly Built[], ...args: readonly string[]): Promise<Ran> {
  server.always((call) => {
    calls.push(call)
    listOf(objects, call)
  })
  return review(...args)
}
const review = (...args: readonly string[]) =>
  ran(['review', '--from-cluster', '--kubeconfig', server.kubeconfig(), ...args])

/** As an API server: in pages, of all namespaces or of one. */
function listOf(objects: readonly Built[], call: Call): void {
  const [, namespace, plural] =
    /^\/apis\/k8s\.tars\.io\/v1beta2(?:\/namespaces\/([^/]+))?\/([a-z]+)$/.exec(call.path) ?? []
  const found = objects.filter(
    ({ kind, metadata }) =>
      `${String(kind).toLowerCase()}s` === plural && [undefined, metadata.namespace].includes(namespace),
  )
  const from = Number(call.query.continue ?? 0)
  const to = from + Number(call.query.limit)
  const more = to < found.length ? { continue: String(to) } : {}
  call.json(200, { metadata: { resourceVersion: '100', ...more }, items: found.slice(from, to) })
}

describe('a live cluster', () => {
  it('without an object that admission would refuse: all admitted', async () => {
    expect(await reviewed([root('a'), child('b', 'a')])).toEqual({ code: 0, out: `2 objects: 2 ${SUMMARY}`, err: '' })
  })

  it('without anything of ours, or without our definitions, holds nothing to refuse', async () => {
    server.always((call) => call.text(404, '404 page not found\n'))
    expect(await review()).toEqual({ code: 0, out: `0 objects: 0 ${SUMMARY}`, err: '' })
  })

  it('with one that would be refused today: said as its author would read it, and counted by rule', async () => {
    const { code, out } = await reviewed([root('a'), child('orphan', 'nowhere'), child('other', 'nowhere')])
    expect(out).toBe(
      [
        'refused if created today; stored as they are they may be edited:',
        `TTemplate demo/orphan: ${ORPHAN}`,
        `TTemplate demo/other: ${ORPHAN}`,
        '',
        'objects by rule:',
        'TT-V2: 2 as new, 0 even unchanged; in demo (2)',
        '',
        '3 objects: 1 admitted, 2 refused as new, 0 refused even unchanged, 0 would be completed\n',
      ].join('\n'),
    )
    expect(code).toBe(1)
  })

  it('is told what the next write would complete, by paths and without values', async () => {
    const bare = stored(aTTemplate({ name: 'bare', parent: 'a', labels: {} }))
    const unlabelled = stored(aTTemplate({ name: 'unlabelled', parent: 'a', labels: {} }))
    const { labels: _, ...metadata } = unlabelled.metadata
    const { code, out } = await reviewed([root('a'), bare, { ...unlabelled, metadata }])
    expect(out).toBe(
      [
        'completed by the next write:',
        'TTemplate: metadata.labels[tars.io/Parent] — 2 objects: demo/bare, demo/unlabelled',
        '',
        '3 objects: 3 admitted, 0 refused as new, 0 refused even unchanged, 2 would be completed\n',
      ].join('\n'),
    )
    expect(code).toBe(0)
  })

  it('holds objects on their way out, of which nothing is asked', async () => {
    const going = stored(aTTemplate({ name: 'orphan', parent: 'nowhere', going: true }))
    const out = `0 objects: 0 ${SUMMARY.trimEnd()}, 1 not asked about, being deleted\n`
    expect(await reviewed([going])).toEqual({ code: 0, out, err: '' })
  })

  it('whose definitions are laxer than ours: what does not fit is told without its value', async () => {
    const odd = stored({ ...aTTemplate({ name: 'odd' }), spec: { parent: 'odd', content: ['a secret'] } })
    const { code, out } = await reviewed([odd])
    expect(out).toContain(
      'TTemplate demo/odd: spec.content: Invalid value: spec.content in body must be of type string',
    )
    expect(out).not.toContain('secret')
    expect(code).toBe(1)
  })

  it('for a program to read', async () => {
    const { out } = await reviewed([root('a'), child('orphan', 'nowhere')], '-o', 'json')
    expect(JSON.parse(out)).toMatchObject({
      objects: [
        { kind: 'TTemplate', namespace: 'demo', name: 'a', result: 'admitted', asNew: [] },
        {
          ...{ name: 'orphan', result: 'refused', unchanged: [], completed: [], warnings: [] },
          asNew: [{ rule: 'TT-V2', path: 'spec.parent', message: ORPHAN.replace('spec.parent: ', '') }],
        },
      ],
      summary: { objects: 2, refusedAsNew: 1, rules: { 'TT-V2': { asNew: 1, unchanged: 0, namespaces: { demo: 1 } } } },
    })
  })
})

describe('an object as a new one', () => {
  it('is not in its own way: the one TTree of a namespace may be (TR-V1)', async () => {
    expect(await reviewed([aTTree('tars-tree', 1)])).toMatchObject({ code: 0 })
  })

  it('is not refused for what came after it, but that is refused for it', async () => {
    const { out } = await reviewed([aTTree('tars-tree', 1), aTTree('another', 2)])
    expect(out).toContain('TTree demo/another')
    expect(out).not.toContain('TTree demo/tars-tree')
  })

  it('may refer to what came after it', async () => {
    expect(await reviewed([child('b', 'a', 1), root('a', 9)])).toMatchObject({ code: 0 })
  })

  it.each([
    { name: 'born one after the other', seconds: [1, 2] },
    { name: 'born in one second', seconds: [1, 1] },
  ])('is what closes a circle, if it is the last: $name (TT-V5)', async ({ seconds: [first, second] }) => {
    const { out } = await reviewed([child('a', 'b', first), child('b', 'a', second)])
    expect(out).toContain('TT-V5: 1 as new')
    expect(out).toContain('TTemplate demo/b: spec.parent: would create a cycle')
  })
})

describe('what kinds say of what a live cluster holds', () => {
  it('of an account with a clear password: that it would go, and never what it is', async () => {
    const account = stored(aTAccount({ authentication: { password: 'HUNTER2!' } }))
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"password":"HUNTER2!"}' }
    const { code, out } = await reviewed([{ ...account, metadata: { ...account.metadata, annotations } }], '-o', 'json')
    expect(JSON.parse(out).objects[0].completed).toEqual(
      expect.arrayContaining(['without spec.authentication.password', 'spec.authentication.bcryptPassword']),
    )
    expect(out).not.toMatch(/HUNTER2|\$2a\$/)
    expect(code).toBe(0)
  })

  it('of an account whose password no mutation would take: neither', async () => {
    const { code, out } = await reviewed([stored(aTAccount({ authentication: { password: 'HUNTER2 with blanks' } }))])
    expect(out).toContain('spec.authentication.password')
    expect(out).not.toContain('HUNTER2')
    expect(code).toBe(1)
  })

  it('of a node-level configuration whose master was activated after it: nothing (TC-V12)', async () => {
    const master = stored(aTConfig({ name: 'master' }), 9)
    const node = stored(aTConfig({ name: 'node', podSeq: '1' }), 1)
    expect(await reviewed([master, node])).toMatchObject({ code: 0 })
    expect((await reviewed([node])).out).toContain('TC-V12: 1 as new')
  })

  it('of one that breaks several rules which its definition carries: all of them (TS-V5, TS-V6)', async () => {
    const server = stored(aTServer({ name: 'another', spec: { subType: 'normal' } }))
    const { out } = await reviewed([root('base'), server])
    expect(out).toContain('TS-V5: 1 as new')
    expect(out).toContain('TS-V6: 1 as new')
  })

  it('of kinds without rules: whether they fit their schema', async () => {
    const endpoint = stored({
      ...OURS,
      kind: 'TEndpoint',
      metadata: { name: 'e', namespace: 'demo' },
      spec: { app: 5 },
    })
    const record = stored({ ...OURS, kind: 'TExitedRecord', metadata: { name: 'r', namespace: 'demo' }, app: 'Demo' })
    const { out } = await reviewed([endpoint, record])
    expect(out).toContain('TEndpoint demo/e: spec.app: Invalid value: spec.app in body must be of type string')
    expect(out).toContain('TExitedRecord demo/r: pods: Required value')
  })

  it('of one that is marked to be deleted: nobody can edit it (TC-V9)', async () => {
    const { out } = await reviewed([stored(aTConfig({ labels: DELETING }))])
    expect(out).toContain('refused even if nothing is changed:')
    expect(out).toContain('TC-V9: 0 as new, 1 even unchanged')
  })
})

describe('the API server', () => {
  it('is asked for lists alone, page by page, and nothing is ever written', async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => child(`t-${i}`, i % 2 === 0 ? 'a' : 'nowhere'))
    const { code } = await reviewed([root('a'), ...many])
    expect(code).toBe(1)
    expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(calls.filter(({ path }) => path.endsWith('/ttemplates'))).toHaveLength(3)
    expect(new Set(calls.map(({ path }) => path)).size).toBeLessThan(12)
  })

  it('is asked for one namespace, if one is named', async () => {
    await reviewed([root('a')], '--namespace', 'demo')
    expect(calls.filter(({ path }) => !path.includes('/namespaces/demo/'))).toEqual([])
  })

  it('is asked for that namespace, be it the one of files that name none', async () => {
    expect((await reviewed([root('a')], '--namespace', 'default')).out).toBe(`0 objects: 0 ${SUMMARY}`)
    expect(calls.filter(({ path }) => !path.includes('/namespaces/default/'))).toEqual([])
  })

  it('that grants no right to list: could not say, and the rights that are missing', async () => {
    server.always((call) => call.status(403, 'Forbidden'))
    const { code, out, err } = await review()
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toMatch(/^tars-admission: the right to list .*ttemplates\.k8s\.tars\.io.* in all namespaces is missing/)
    expect(err).toContain('--namespace')
    expect((await review('--namespace', 'demo')).err).toContain('in namespace demo is missing')
  })

  it.each([
    { name: 'fails', answer: (call: Call) => call.status(500, 'InternalError') },
    { name: 'answers something else', answer: (call: Call) => call.status(400, 'BadRequest') },
    { name: 'is no API server', answer: (call: Call) => call.text(200, 'hello') },
  ])('that $name: could not say', async ({ answer }) => {
    server.always(answer)
    expect(await review()).toMatchObject({ code: 3, out: '', err: expect.stringContaining('cannot list') })
  })
})

describe('wrong usage', () => {
  it.each([
    { name: 'files', args: ['-f', 'x.yaml'], says: '--file' },
    { name: 'an operation', args: ['--operation', 'DELETE'], says: '--operation' },
    { name: 'a server', args: ['--server', 'https://x'], says: '--server' },
  ])('is $name beside it', async ({ args, says }) => {
    const err = `tars-admission: --from-cluster reviews what is stored, so it takes no ${says}\n`
    expect(await review(...args)).toEqual({ code: 2, out: '', err })
  })
})
