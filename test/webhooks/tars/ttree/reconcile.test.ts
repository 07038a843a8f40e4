import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Outcome } from '../../../../src/reconcile/action.ts'
import { performed } from '../../../../src/reconcile/apply.ts'
import type { Turn } from '../../../../src/reconcile/controller.ts'
import { LONGEST_LIST } from '../../../../src/schema.ts'
import { TSERVER, type TServer } from '../../../../webhooks/tars/tserver/schema.ts'
import { conclude, plan, ttreeController } from '../../../../webhooks/tars/ttree/reconcile.ts'
import { TTREE, type TTree } from '../../../../webhooks/tars/ttree/schema.ts'
import { CREATE_TREE } from '../../../../webhooks/tars/ttree/settings.ts'
import { SETTINGS, withSetting } from '../../../support/answerer-parts.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { aBusiness, anApp, aTTree } from '../../../support/builders/tars-trees.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { admittingCluster, clusterOf, NOW } from '../../../support/clusters.ts'
import { turnsOf } from '../../../support/turns.ts'

const KEY = { namespace: 'demo', name: 'tars-tree' }
const given = { at: new Date('2026-11-18T12:00:00.123Z'), settings: SETTINGS }
const at = new Date(NOW)

const entry = (name: string) => ({ ...anApp(name), createTime: NOW, mark: 'AddByController', createPerson: '' })
const server = (app: string, wishes = {}) => aTServer({ app, ...wishes })

function serverOf(app: string, uid: string): TServer {
  const { metadata, ...rest } = aTServer({ app })
  const found = { ...rest, metadata: { ...metadata, uid } }
  if (TSERVER.isOutline(found)) return found
  throw new Error('it is no TServer')
}
function treeOf(...apps: readonly string[]): TTree {
  const { metadata, ...rest } = aTTree({ apps: apps.map((name) => anApp(name)) })
  const found = { ...rest, metadata: { ...metadata, uid: 't', resourceVersion: '7' } }
  if (TTREE.isOutline(found)) return found
  throw new Error('it is no TTree')
}
const missing = [serverOf('Chat', 'c'), serverOf('Demo', 'd')]
const seen = { namespace: 'demo', missing }
const about = { of: TSERVER, ref: { namespace: 'demo', name: 'chat-echo' }, uid: 'c' }

describe('TR-R1 a tree plans', () => {
  const apiVersion = 'k8s.tars.io/v1beta2'
  const object = { apiVersion, kind: 'TTree', metadata: KEY, businesses: [], apps: [entry('Chat'), entry('Demo')] }
  const addition = (...apps: readonly string[]) => ({
    do: 'patch',
    of: TTREE,
    ref: KEY,
    expects: { uid: 't', resourceVersion: '7' },
    operations: apps.map((name) => ({ op: 'add', path: '/apps/-', value: entry(name) })),
    because: 'TR-R1',
  })
  const full = Array.from({ length: LONGEST_LIST - 1 }, (_, i) => `A${i}`)
  const warned = (reason: string, message: string) => [{ type: 'Warning', reason, message, about }]

  it.each([
    {
      name: 'to append all missing apps in one write, of the version that it saw (U-16)',
      tree: treeOf('Shop'),
      planned: { actions: [addition('Chat', 'Demo')], notices: [] },
    },
    {
      name: 'to be created with them and without businesses',
      tree: undefined,
      planned: { actions: [{ do: 'create', of: TTREE, object, because: 'TR-R1' }] },
    },
    {
      name: 'an event about the first server where --create-tree is off',
      tree: undefined,
      settings: withSetting(CREATE_TREE, false),
      planned: {
        actions: [],
        againInMs: 300_000,
        notices: warned(
          'GetError',
          'the namespace has no TTree tars-tree, and --create-tree is off; create it (TR-R1)',
        ),
      },
    },
    {
      name: 'to append what there is room for, and an event for the rest',
      tree: treeOf(...full),
      planned: {
        actions: [addition('Chat')],
        notices: [
          {
            type: 'Warning',
            reason: 'SyncFailed',
            message: 'TTree tars-tree has no room for another app (TR-R1)',
            about: { ...about, ref: { namespace: 'demo', name: 'demo-echo' }, uid: 'd' },
          },
        ],
      },
    },
  ])('$name', ({ tree, settings = SETTINGS, planned }) => {
    expect(plan({ ...seen, tree }, { ...given, settings })).toEqual(planned)
  })

  it('no write at all where there is no room', () => {
    expect(plan({ ...seen, tree: treeOf(...full, 'Last') }, given).actions).toEqual([])
  })

  it('at most 1,000 apps at once, for an API server takes no longer patch than 10,000 operations', () => {
    const many = Array.from({ length: 1_001 }, (_, i) => serverOf(`A${i}`, `${i}`))
    const [action] = plan({ ...seen, missing: many, tree: treeOf() }, given).actions
    expect(action?.do === 'patch' && action.operations.length).toBe(1_000)
  })

  it('an event in the words of the refusal', () => {
    const tree = treeOf()
    const [action] = plan({ ...seen, tree }, given).actions
    const noticesAt = (outcome: Outcome) =>
      conclude({ ...seen, tree }, action ? [{ action, outcome, message: 'no' }] : []).notices
    expect(noticesAt('refused')).toEqual(warned('SyncFailed', 'no'))
    expect(noticesAt('overtaken')).toEqual([])
  })
})

describe('TS-R1 on a cluster', () => {
  const turned = (...objects: readonly Built[]): Promise<Turn | undefined> =>
    turnsOf('ttree', clusterOf(...objects))(KEY, at)
  const added = (turn: Turn | undefined) =>
    turn?.actions.flatMap((action) => (action.do === 'patch' && 'operations' in action ? action.operations : []))
  const nameless = (app: string) => ({ ...aTServer({ app }), metadata: { namespace: 'demo', name: 'bare-echo' } })

  const lying = (app: string) => {
    const labels = { 'tars.io/ServerApp': app === 'Demo' ? 'Nope' : 'Demo', 'tars.io/ServerName': 'Echo' }
    return aTServer({ app, labels })
  }

  it.each([
    { name: 'servers whose app is listed need nothing', servers: [server('Demo')], apps: undefined },
    { name: 'a terminating server needs nothing', servers: [server('Chat', { going: true })], apps: undefined },
    {
      name: 'a server of another namespace neither',
      servers: [server('Chat', { namespace: 'else' })],
      apps: undefined,
    },
    {
      name: 'each app comes once, in the order of the names',
      servers: [server('Shop'), server('Chat', { server: 'Two' }), server('Chat'), server('Demo')],
      apps: ['Chat', 'Shop'],
    },
    { name: 'a server without labels counts by its field', servers: [nameless('Bare')], apps: ['Bare'] },
    { name: 'and needs nothing where that is listed', servers: [nameless('Demo')], apps: undefined },
    { name: 'a server whose labels lie counts by its field', servers: [lying('Chat')], apps: ['Chat'] },
    {
      name: 'and needs nothing where that is listed, whatever the labels say',
      servers: [lying('Demo')],
      apps: undefined,
    },
    {
      name: 'an app that the tree would refuse keeps no other out',
      servers: [server('a b', { name: 'a' }), server('x'.repeat(64), { name: 'b' }), server('Chat')],
      apps: ['Chat'],
    },
    {
      name: 'a server without an app is no server yet',
      servers: [aTServer({ app: 'X', spec: { app: 7 } })],
      apps: undefined,
    },
  ])('$name', async ({ servers, apps }) => {
    const turn = await turned(aTTree({ apps: [anApp('Demo')] }), ...servers)
    expect(added(turn)?.flatMap((each) => (each.op === 'add' ? [each.value.name] : []))).toEqual(apps)
  })

  it.each([
    { name: 'terminating', tree: aTTree({ going: true }) },
    { name: 'of another shape', tree: { ...aTTree(), apps: [{}] } },
  ])('TR-R1 a tree $name stays as it is', async ({ tree }) => {
    expect(await turned(tree, server('Chat'))).toBeUndefined()
  })

  it('TR-R1 admission takes both writes, a second turn makes none, and no app ever goes', async () => {
    const cluster = admittingCluster(aTTemplate())
    const turn = turnsOf('ttree', cluster)
    await cluster.create(TSERVER, aTServer())
    await turn(KEY, at)
    await cluster.merge(TTREE, KEY, { businesses: [aBusiness('shop')] })
    await cluster.create(TSERVER, aTServer({ app: 'Chat' }))
    expect(await turn(KEY, at)).toMatchObject({ results: [{ outcome: 'done' }] })

    await cluster.remove(TSERVER, { namespace: 'demo', name: 'demo-echo' })
    expect(await turn(KEY, at)).toBeUndefined()
    expect(await cluster.get(TTREE, KEY)).toMatchObject({
      businesses: [{ name: 'shop' }],
      apps: [entry('Demo'), entry('Chat')],
    })
  })

  it('TR-R1, U-16 of two that saw the same tree one writes', async () => {
    const cluster = clusterOf(aTTree(), aTServer())
    const tree = await cluster.get(TTREE, KEY)
    if (tree === undefined || !TTREE.isOutline(tree)) throw new Error('there is no tree')
    const planned = plan({ ...seen, tree }, given).actions
    const outcomes = []
    for (const action of [...planned, ...planned]) outcomes.push((await performed(action, cluster)).outcome)
    expect(outcomes).toEqual(['done', 'overtaken'])
    expect((await cluster.get(TTREE, KEY))?.apps?.map(({ name }) => name)).toEqual(['Chat', 'Demo'])
  })

  it('TR-R1 a tree that is created twice is there once', async () => {
    const cluster = clusterOf(aTTree())
    const [creation] = plan({ ...seen, tree: undefined }, given).actions
    expect(creation && (await performed(creation, cluster)).outcome).toBe('overtaken')
  })
})

describe('TS-R1 a server wakes its tree', () => {
  const [own, watch] = ttreeController.watches
  const apps = [anApp('Demo')]
  const listed = ttreeController.refersTo(aTTree({ apps })).map(({ key }) => key.name)
  const among = {
    referring: ({ key }: { key: { name: string } }) => (listed.includes(key.name) ? [KEY] : []),
    all: () => [],
  }

  it.each([
    { name: 'where its app is not listed', server: server('Chat'), keys: [KEY] },
    { name: 'where it has no label', server: { metadata: { namespace: 'demo', name: 'x' } }, keys: [KEY] },
    { name: 'where its labels lie', server: server('Chat', { labels: server('Demo').metadata.labels }), keys: [KEY] },
    { name: 'not where its app is listed', server: server('Demo'), keys: [] },
  ])('$name', ({ server, keys }) => {
    expect(watch?.wakes(server, among)).toEqual(keys)
    expect(own?.wakes(aTTree({ apps }), among)).toEqual([KEY])
  })
})
