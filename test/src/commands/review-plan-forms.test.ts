import { describe, expect, it } from 'vitest'
import { defineController } from '../../../src/reconcile/controller.ts'
import { tars } from '../../../webhooks/tars/family.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../support/builders/accounts.ts'
import { aTDeploy } from '../../support/builders/deploys.ts'
import { aPort, aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { aService } from '../../support/builders/workloads.ts'
import { fileOf } from '../../support/folders.ts'
import { documents, linesOf, planned, seeded, treeOf } from '../../support/planned.ts'
import { ran } from '../../support/world.ts'

const aServer = (wishes: Parameters<typeof aTServer>[0] = {}) => aTServer({ normal: [aPort()], ...wishes })

describe('-o yaml', () => {
  it('has objects as documents, and all else as comments', async () => {
    const there = seeded(aTTemplate(), treeOf('demo', 'Demo'), aService())
    const { out } = await planned([aTDeploy()], '-o', 'yaml', ...there)
    const kinds = documents(out).map((object) => (object as { kind: string }).kind)
    expect(kinds).toEqual(['TServer', 'TEndpoint', 'TExitedRecord'])
    expect(out.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# 1 object: 1 admitted, 0 refused',
      '# TDeploy demo/demo-echo-1: as if approved',
      '# create TServer demo/demo-echo (TD-R2)',
      '# merge TDeploy demo/demo-echo-1 (TD-R3)',
      '# apply TEndpoint demo/demo-echo (TS-R2)',
      '# create TExitedRecord demo/demo-echo (TX-R1)',
      '# merge TServer demo/demo-echo status (TS-R8)',
      expect.stringMatching(/^# Warning OutControl TServer demo\/demo-echo: Service demo-echo is not controlled/),
    ])
  })
  it('shows no uid and no time of the run, also in what is created of a release', async () => {
    const release = { id: 'r1', image: 'registry.example/echo:r1', nodeImage: 'registry.example/node:1' }
    const { out } = await planned([aTTemplate(), aTServer({ release })], '-o', 'yaml')
    expect(documents(out)).toContainEqual(
      expect.objectContaining({
        kind: 'TEndpoint',
        spec: expect.objectContaining({ release: { ...release, time: '1970-01-01T00:00:00Z' } }),
      }),
    )
    expect(out).not.toContain(new Date().toISOString().slice(0, 10))
  })

  const odd = [
    { name: 'a word that YAML 1.1 takes for a boolean', value: 'yes' },
    { name: 'a number to the base 60', value: '1:30' },
    { name: 'an octal number', value: '0777' },
    { name: 'an octal number in the form of Go', value: '-0o17' },
    { name: 'a time', value: '2024-05-01' },
    { name: 'a line separator and another document', value: 'a\u2028---\u2028b' },
    { name: 'next line', value: 'a\u0085b' },
    { name: 'a control character', value: 'a\u001b[2Jb\u0000' },
    { name: 'a carriage return', value: 'a\rkind: Secret' },
    { name: 'lines', value: 'a\n---\nkind: Secret\n' },
  ]
  it.each(odd)('takes a text for itself: $name', async ({ value }) => {
    const { out } = await planned([aServer({ k8s: { env: [{ name: 'ODD', value }] } })], '-o', 'yaml')
    expect(JSON.stringify(documents(out))).toContain(JSON.stringify({ name: 'ODD', value }))
    expect(out).not.toMatch(/[^\n\x20-\x7e]/)
    expect(out).not.toMatch(/^kind: Secret/m)
    expect(out).not.toMatch(/value: [-+.]?\d/)
  })
  it('lets no message out of its comment', async () => {
    const name = 'a\nkind: Secret\u2028kind: Secret\u0085kind: Secret'
    const { out } = await planned([aTServer({ template: name })], '-o', 'yaml')
    expect(out.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line !== '' && !line.startsWith('# '))).toEqual([])
  })
})

it('-o json has the plan beside the objects', async () => {
  const there = seeded(aTTemplate(), treeOf('demo', 'Demo'), aService())
  const { out } = await planned([aTDeploy()], '-o', 'json', ...there)
  const about = { namespace: 'demo', name: 'demo-echo' }
  const { objects, plan } = JSON.parse(out)
  expect(objects).toMatchObject([{ result: 'admitted' }])
  expect(plan.assumptions).toEqual([
    { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TDeploy', namespace: 'demo', name: 'demo-echo-1', says: 'approved' },
  ])
  expect(plan.writes).toMatchObject([
    { ...about, do: 'create', kind: 'TServer', because: 'TD-R2', object: { metadata: about } },
    { do: 'merge', kind: 'TDeploy', because: 'TD-R3' },
    { ...about, do: 'apply', kind: 'TEndpoint', because: 'TS-R2', object: { kind: 'TEndpoint' } },
    { ...about, do: 'create', kind: 'TExitedRecord', because: 'TX-R1' },
    { ...about, do: 'merge', kind: 'TServer', subresource: 'status', because: 'TS-R8' },
  ])
  expect(plan.notices).toMatchObject([{ ...about, kind: 'TServer', type: 'Warning', reason: 'OutControl' }])
})

describe('secrets', () => {
  const tokens = [{ ...A_TOKEN, content: 'S3ssionText', expirationTime: '2020-01-01T00:00:00Z' }]
  it.each(['text', 'yaml', 'json'])('of a TAccount are in no plan: -o %s', async (form) => {
    const account = aTAccount({ authentication: { bcryptPassword: hashFor('Passw0rd!'), tokens } })
    const { out, err } = await planned(
      [aTAccount({ authentication: { password: 'Passw0rd!' } })],
      '-o',
      form,
      ...seeded(account),
    )
    const stored = await planned([aTTemplate()], '-o', form, ...seeded(account))
    const update = await planned([account], '-o', form, '--operation=UPDATE', ...seeded(aTAccount()))
    for (const text of [out, err, stored.out, stored.err, update.out])
      expect(text).not.toMatch(/Passw0rd|S3ssionText|\$2[aby]\$/)
    expect(update.out).toContain('TA-R1')
  })
})

it('a controller that does not come to rest ends it with 3, and the key is named', async () => {
  const restless = defineController({
    ...{ name: 'restless', of: TTEMPLATE, watches: [], writes: [] },
    observe: (key, { cached }) => cached.get(TTEMPLATE, key),
    plan: () => ({ actions: [], againInMs: 5 }),
  })
  const words = ['review', '--plan', '-f', fileOf(JSON.stringify(aTTemplate()))]
  const { code, out, err } = await ran(words, {}, '', async () => [{ ...tars, controllers: () => [restless] }])
  const says = 'tars-admission: controller restless does not come to rest on demo/base: 105 turns\n'
  expect({ code, out, err }).toEqual({ code: 3, out: '', err: says })
})

describe('many objects', () => {
  it('a request for an app of its own, 120 times: the tree they share comes to rest', async () => {
    const requests = Array.from({ length: 120 }, (_, each) =>
      aTDeploy({
        name: `r${each}`,
        apply: { app: `App${each}`, subType: 'normal', tars: undefined, normal: { ports: [] } },
      }),
    )
    const { code, out } = await planned(requests)
    expect(code).toBe(0)
    expect(linesOf(out).filter((line) => line.startsWith('apply StatefulSet'))).toHaveLength(120)
  }, 30_000)
  it('take a time in proportion to their number', async () => {
    const took = async (many: number) => {
      const servers = Array.from({ length: many }, (_, each) => aServer({ server: `S${each}` }))
      const began = performance.now()
      expect((await planned(servers)).code).toBe(0)
      return performance.now() - began
    }
    await took(20)
    const [few, more] = [await took(100), await took(400)]
    expect(more / few).toBeLessThan(10) // 4 when linear, 16 when squared
  }, 60_000)
})
