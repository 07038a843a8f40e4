import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { APPROVED, aTDeploy } from '../../support/builders/deploys.ts'
import { aPort, aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { aService } from '../../support/builders/workloads.ts'
import { givenIn, goldens, wantedIn } from '../../support/mapped.ts'
import { documents, linesOf, OURS, planned, seeded, treeOf } from '../../support/planned.ts'
import { ran } from '../../support/world.ts'

describe('the samples', () => {
  const files = ['', ...readdirSync('manifests/samples/good')]
  it.each(files)(
    'have a plan that is the same in each run: %s',
    async (file) => {
      const words = ['review', '--plan', '-o', 'yaml', '-f', `manifests/samples/good/${file}`]
      const first = await ran(words)
      expect(first).toMatchObject({ code: 0, err: '' })
      expect(await ran(words)).toEqual(first)
      const uids = first.out.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/g) ?? []
      expect(uids.filter((uid) => uid !== '00000000-0000-0000-0000-000000000000')).toEqual([])
      expect(first.out).not.toMatch(/resourceVersion|creationTimestamp|managedFields|tars\.io\/Applied/)
    },
    30_000,
  )
})

describe('MP-5 … MP-43, WK-10: what becomes of a TServer, in the order of the worker', () => {
  it.each(goldens)('%s', async (golden) => {
    const there = seeded(aTTemplate({ namespace: 'shop', name: 'tars.cpp' }), treeOf('shop', 'Demo'))
    const { code, out } = await planned(givenIn(golden), '-o', 'yaml', ...there)
    expect(code).toBe(0)
    expect(documents(out)).toEqual(wantedIn(golden))
  })
})

const aServer = (wishes: Parameters<typeof aTServer>[0] = {}) => aTServer({ normal: [aPort()], ...wishes })
const THERE = [aTTemplate(), treeOf('demo', 'Demo')]
const OF_NEW = [
  'apply TEndpoint demo/demo-echo (TS-R2)',
  'create TExitedRecord demo/demo-echo (TX-R1)',
  'apply Service demo/demo-echo (TS-R4)',
  'apply StatefulSet demo/demo-echo (TS-R4)',
]
const STATUS = 'merge TServer demo/demo-echo status (TS-R8)'
const CLAIM = { name: 'data', mountPath: '/data', source: { tLocalVolume: {} } }
const config = (name: string, more: object = {}) => ({
  ...{ ...OURS, kind: 'TConfig', metadata: { name, namespace: 'demo' }, ...more },
  ...{ app: 'Demo', server: 'Echo', configName: 'echo.conf', configContent: name },
})

describe('a line for each action, with its rule', () => {
  it.each([
    { name: 'nothing where nothing follows', objects: [aTTemplate({ name: 'x' })], lines: [] },
    {
      name: 'a server and the entry of its app',
      objects: [aServer()],
      there: [],
      lines: ['create TTree demo/tars-tree (TR-R1)', ...OF_NEW, STATUS],
    },
    {
      name: 'TD-R1, TD-R2: a request, as if approved',
      objects: [aTDeploy()],
      lines: [
        'TDeploy demo/demo-echo-1: as if approved',
        'create TServer demo/demo-echo (TD-R2)',
        'merge TDeploy demo/demo-echo-1 (TD-R3)',
        ...OF_NEW,
        STATUS,
      ],
    },
    {
      name: 'TD-V7: a request that could not be approved',
      objects: [aTDeploy({ apply: { tars: { template: 'nowhere', servants: [] } } })],
      lines: [
        expect.stringMatching(
          /^TDeploy demo\/demo-echo-1: as if approved, which would be refused: .*\(TD-V7, TS-V15\)$/,
        ),
      ],
    },
    {
      name: 'a request that was decided',
      objects: [aTDeploy({ approve: APPROVED })],
      args: ['--operation=UPDATE'],
      there: [...THERE, aTDeploy()],
      lines: ['create TServer demo/demo-echo (TD-R2)', 'merge TDeploy demo/demo-echo-1 (TD-R3)', ...OF_NEW, STATUS],
    },
    { name: 'nothing for what stays as it is', objects: [aServer()], there: [...THERE, aServer()], lines: [] },
    {
      name: 'of a change what it changes',
      objects: [aServer({ normal: [aPort({ port: 8081 })] })],
      there: [...THERE, aServer()],
      lines: [
        'apply TEndpoint demo/demo-echo (TS-R2)',
        'apply Service demo/demo-echo (TS-R4)',
        'apply StatefulSet demo/demo-echo (TS-R4)',
      ],
    },
    {
      name: 'TS-R4: a removal before what takes its place',
      objects: [aServer({ k8s: { daemonSet: true } })],
      there: [...THERE, aServer()],
      lines: [
        'remove Service demo/demo-echo (TS-R4, MP-34: spec.k8s.daemonSet has changed)',
        'remove StatefulSet demo/demo-echo (TS-R4, MP-34: spec.k8s.daemonSet has changed)',
        'apply DaemonSet demo/demo-echo (TS-R4)',
      ],
    },
    {
      name: 'MP-31: a StatefulSet that is made again, and the event of it',
      objects: [aTServer({ k8s: { mounts: [CLAIM] } })],
      there: [...THERE, aTServer()],
      lines: [
        expect.stringMatching(/^remove StatefulSet demo\/demo-echo \(MP-31, MP-32: claim templates added: data/),
        'apply StatefulSet demo/demo-echo (TS-R4)',
        expect.stringMatching(/^Normal Recreated TServer demo\/demo-echo: StatefulSet is made again/),
      ],
    },
    {
      name: 'TS-R6: what somebody else has under its name stays',
      objects: [aServer()],
      there: [...THERE, aService()],
      lines: [
        ...OF_NEW.slice(0, 2),
        STATUS,
        'Warning OutControl TServer demo/demo-echo: Service demo-echo is not controlled by this TServer, so it is left as it is (TS-R6)',
      ],
    },
    {
      name: 'what the garbage collector takes along',
      objects: [aServer()],
      args: ['--operation=DELETE'],
      lines: ['TEndpoint', 'TExitedRecord', 'Service', 'StatefulSet'].map(
        (kind) => `collect ${kind} demo/demo-echo (its owner is gone)`,
      ),
    },
    {
      name: 'TC-R1: a version that another one takes the place of',
      objects: [config('new')],
      there: [config('old')],
      lines: ['merge TConfig demo/old (TC-R1)'],
    },
  ])('$name', async ({ objects, there = THERE, args = [], lines }) => {
    const { out } = await planned(objects, ...seeded(...there, aTTemplate()), ...args)
    expect(linesOf(out), out).toEqual(lines)
  })
})

describe('what is refused', () => {
  it('is not planned, and the exit code is that of the review', async () => {
    const { code, out } = await planned([aServer({ name: 'other' })], ...seeded(...THERE))
    expect({ code, lines: linesOf(out) }).toEqual({ code: 1, lines: [] })
    expect(out).toMatch(/\(TS-V6\)\n1 object: 0 admitted, 1 refused\nplan: the worker has nothing to do\n$/)
  })
  it('changes nothing of what stands', async () => {
    const { code, out } = await planned([aServer({ normal: [aPort(), aPort()] })], ...seeded(...THERE, aServer()))
    expect({ code, lines: linesOf(out) }).toEqual({ code: 1, lines: [] })
  })
  it.each([
    {
      args: ['-f', 'x', '--plan', '--server=https://localhost:1'],
      says: '--plan plans on the embedded cluster, so it takes no --server',
    },
    { args: ['--from-cluster', '--plan'], says: '--from-cluster reviews what is stored, so it takes no --plan' },
    { args: ['-f', 'x', '-o', 'yaml'], says: '-o yaml is the form of --plan' },
  ])('as usage: $args', async ({ args, says }) => {
    const { code, err } = await ran(['review', ...args])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) })
  })
  it('certs status has no yaml', async () => {
    expect(await ran(['certs', 'status', '-o', 'yaml'])).toMatchObject({ code: 2 })
  })
})

describe('settings of controllers are flags', () => {
  it.each([
    { flag: '--mount-host-timezone=false', has: 'host-timezone', by: false },
    { flag: '--mount-host-timezone=true', has: 'host-timezone', by: true },
    { flag: '--create-tree=true', has: 'kind: TTree', by: true },
    { flag: '--create-tree=false', has: 'kind: TTree', by: false },
  ])('$flag', async ({ flag, has, by }) => {
    const { out } = await planned([aServer()], '-o', 'yaml', flag)
    expect(out.includes(has)).toBe(by)
  })
})
