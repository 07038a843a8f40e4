import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import type { AuditorParts } from '../../../src/reconcile/auditor.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { audited } from '../../support/auditing.ts'
import { aTAccount } from '../../support/builders/accounts.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { APPROVED, aTDeploy } from '../../support/builders/deploys.ts'
import { aServant, aTServer } from '../../support/builders/servers.ts'
import { anApp, aTTree } from '../../support/builders/tars-trees.ts'
import { aTTemplate } from '../../support/builders/templates.ts'

describe('WR-8 the auditor', () => {
  it('reports what breaks a rule once, with its id, and counts it until it is mended', async () => {
    const { memory, first, pass } = await audited([aTServer()])
    const message = expect.stringContaining('spec.tars.template: TTemplate demo/base does not exist')
    const about = { of: expect.objectContaining({ kind: 'TServer' }), ref: { namespace: 'demo', name: 'demo-echo' } }
    expect(first).toMatchObject({
      notices: [{ type: 'Warning', reason: 'RuleViolated', message, about }],
      counts: { 'TS-V15': 1 },
    })
    expect(first.notices[0]?.message).toContain('(TS-V15)')
    expect(await pass()).toEqual({ notices: [], counts: { 'TS-V15': 1 } })

    memory.seed([aTTemplate()])
    expect(await pass()).toEqual({ notices: [], counts: { 'TS-V15': 0 } })
    await memory.remove(TTEMPLATE, { namespace: 'demo', name: 'base' })
    expect((await pass()).counts).toEqual({ 'TS-V15': 1 })
    await memory.remove(TSERVER, about.ref)
    expect((await pass()).counts).toEqual({ 'TS-V15': 0 })
  })

  it('tells what there was no room for by its next pass', async () => {
    const rooms = [false, true]
    const reported: string[] = []
    const notify: AuditorParts['notify'] = ({ reason }) => {
      reported.push(reason)
      return rooms.shift() ?? false
    }
    const { pass } = await audited([aTServer()], () => ({ notify }))
    await pass()
    await pass()
    expect(reported).toEqual(['RuleViolated', 'RuleViolated'])
  })

  const nodeLevel = aTConfig({ name: 'single', podSeq: '0' })

  it.each([
    {
      name: 'nothing of what is as it should be',
      objects: [aTTemplate(), aTServer(), aTTree(), aTAccount(), aTConfig()],
      counts: {},
    },
    {
      name: 'nothing of what only a request decides',
      objects: [aTTemplate(), aTDeploy({ approve: APPROVED, deployed: true }), aTServer()],
      counts: {},
    },
    { name: 'nothing of what terminates', objects: [aTServer({ going: true })], counts: {} },
    {
      name: 'a name that no update can change',
      objects: [aTTemplate(), aTServer({ name: 'other' })],
      counts: { 'TS-V6': 1 },
    },
    { name: 'a tree of another name', objects: [aTTree({ name: 'other' })], counts: { 'TR-V1': 1 } },
    {
      name: 'a rule once for an object that breaks it twice',
      objects: [aTTree({ apps: [anApp('a', 'x'), anApp('b', 'x')] })],
      counts: { 'TR-V4': 1 },
    },
    { name: 'requests that crossed each other', objects: [nodeLevel], counts: { 'TC-V12': 1 } },
    { name: 'an object of another shape', objects: [{ ...aTTree(), apps: 'none' }], counts: { 'CV-8': 1 } },
  ])('finds $name', async ({ objects, counts }) => {
    expect((await audited(objects)).first.counts).toEqual(counts)
  })

  it('shows no password', async () => {
    const { first } = await audited([aTAccount({ authentication: { password: 'Passw0rd!' } })])
    expect(first.counts).toEqual({ 'TA-V1': 1 })
    expect(JSON.stringify(first.notices.map(({ message }) => message))).not.toContain('Passw0rd!')
  })

  it('reports again when another rule is broken, in at most 1,024 characters', async () => {
    const { memory, pass } = await audited([aTServer()])
    const servants = Array.from({ length: 40 }, (_, i) => aServant({ name: `A${i}Obj`, port: 19385 }))
    memory.seed([aTServer({ servants })])
    const { notices, counts } = await pass()
    expect(notices.map(({ message }) => message.length)).toEqual([1_024])
    expect(counts).toMatchObject({ 'TS-V15': 1, 'TS-V11': 1 })
  })
})

describe('WR-8 the auditor is gentle', () => {
  it('reads a template once for all its servers, and live before it reports', async () => {
    const looks: string[] = []
    const servers = ['A', 'B', 'C'].map((server) => aTServer({ server }))
    const counting = (cluster: Cluster) => {
      const { live } = cluster.readers
      const counted: typeof live = {
        ...live,
        get: (of, ref) => {
          looks.push(`${of.kind} ${ref.name}`)
          return live.get(of, ref)
        },
      }
      return { cluster: { ...cluster, readers: { cached: live, live: counted } } }
    }
    await audited([aTTemplate(), ...servers], counting)
    expect(looks).toEqual(['TTemplate base'])
    looks.length = 0
    await audited([aTServer()], counting)
    expect(looks).toEqual(['TTemplate base', 'TTemplate base'])
  })

  it('has 20 objects in memory at most, and takes its time', async () => {
    const limits = new Set<number>()
    const paging = (cluster: Cluster): Partial<AuditorParts> => ({
      namespaces: ['demo'],
      cluster: {
        ...cluster,
        pages(of, where) {
          limits.add(where.limit)
          return cluster.pages(of, where)
        },
      },
    })
    const servers = Array.from({ length: 45 }, (_, i) => aTServer({ server: `S${i}` }))
    const { clock } = await audited([aTTemplate(), ...servers, aTServer({ namespace: 'else' })], paging)
    expect([...limits]).toEqual([20])
    expect(clock.tick(), '46 objects on 4 pages').toBe(46 * 5 + 4 * 50)
  })

  it('keeps what it found while it cannot look, says so, and goes on with other kinds', async () => {
    let fails = false
    const failing = (cluster: Cluster): Partial<AuditorParts> => ({
      cluster: {
        ...cluster,
        pages(of, where) {
          if (fails && of.kind === 'TServer') throw new Fault('CLUSTER_UNREACHABLE', 'cannot list TServers')
          return cluster.pages(of, where)
        },
      },
    })
    const { memory, lines, pass } = await audited([aTServer()], failing)
    fails = true
    memory.seed([aTTree({ name: 'other' })])
    expect((await pass()).counts).toEqual({ 'TS-V15': 1, 'TR-V1': 1 })
    expect(lines.join()).toContain('cannot list TServers')
  })

  it('keeps what it found where a look-up has no answer', async () => {
    let fails = false
    const failing = (cluster: Cluster): Partial<AuditorParts> => {
      const { live } = cluster.readers
      const get: typeof live.get = (of, ref) =>
        fails ? Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no answer')) : live.get(of, ref)
      return { cluster: { ...cluster, readers: { cached: live, live: { ...live, get } } } }
    }
    const { memory, pass } = await audited([aTServer()], failing)
    fails = true
    memory.seed([aTTemplate()])
    expect((await pass()).counts).toEqual({ 'TS-V15': 1 })
    fails = false
    expect((await pass()).counts).toEqual({ 'TS-V15': 0 })
  })

  it('runs in the process that leads', async () => {
    let tell: (leads: boolean) => void = () => undefined
    const leadership = {
      onChange(next: typeof tell) {
        tell = next
        next(false)
      },
    }
    const { first, counts, pass } = await audited([aTServer()], () => ({ leadership }))
    expect(first).toEqual({ notices: [], counts: {} })
    tell(true)
    expect((await pass()).counts).toEqual({ 'TS-V15': 1 })
    tell(false)
    expect(counts).toEqual({ 'TS-V15': 0 })
  })
})
