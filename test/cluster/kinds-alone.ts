import { describe, expect, it } from 'vitest'
import { cluster, kubectl, on, ours, stored } from './kinds-cluster.ts'
import { expectDone } from './product.ts'

describe('TFrameworkConfig', () => {
  const fields = { imageRegistry: { registry: 'registry.example' }, nodeImage: { image: 'node:v1' } }

  it('of the one name is admitted without a word, and filled with what usually holds', async () => {
    expect(await kubectl('create', ours('TFrameworkConfig', 'tars-framework', fields))).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(await stored('tfc', 'tars-framework')).toMatchObject({
      recordLimit: { texitedPod: 48, tconfigHistory: 48, timageRelease: 48 },
      nodeImage: { image: 'node:v1', secret: '' },
      upChain: {},
    })
  })
  it('of another name is admitted with a warning (TF-W1)', async () => {
    const { code, stderr } = await kubectl('create', ours('TFrameworkConfig', 'tard-framework', fields))
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Warning: metadata.name: ignored, for only tars-framework is read; give it that name (TF-W1)\n',
    })
  })
  it('of a limit too low the API server refuses', async () => {
    const { stderr } = await on(
      'patch',
      'tfc',
      'tars-framework',
      '--type=merge',
      '-p',
      '{"recordLimit":{"texitedPod":9}}',
    )
    expect(stderr).toContain('recordLimit.texitedPod: Invalid value: 9: ')
  })
})

describe('TImage', () => {
  const release = (id: string) => ({ id, image: `registry.example/echo:${id}` })

  it('is completed: its labels, its times, its releases each once (TI-M1…M5)', async () => {
    const releases = [release('a'), release('a'), { ...release('b'), createTime: '2022-01-17T02:22:15Z' }]
    const fields = { imageType: 'base', supportedType: ['cpp', 'java-war'], releases }
    expectDone(await kubectl('create', ours('TImage', 'base', fields)))
    expect(await stored('timage', 'base')).toMatchObject({
      metadata: {
        labels: {
          'tars.io/ImageType': 'base',
          'tars.io/Supported.cpp': 'cpp',
          'tars.io/Supported.java-war': 'java-war',
        },
      },
      releases: [
        { ...release('a'), createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
        { ...release('b'), createTime: '2022-01-17T02:22:15Z' },
      ],
    })
  })
  it('keeps its times when a manifest without them is applied again (TI-M5)', async () => {
    const manifest = (...ids: readonly string[]) =>
      ours('TImage', 'applied', { imageType: 'server', releases: ids.map(release) })
    expectDone(await kubectl('apply', manifest('a', 'b')))
    const { metadata, releases } = await stored('timage', 'applied')
    await new Promise((resolve) => setTimeout(resolve, 1_100)) // times are to the second
    expect(await kubectl('diff', manifest('a', 'b'))).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expectDone(await kubectl('apply', manifest('a', 'b')))
    expect(await stored('timage', 'applied')).toMatchObject({
      metadata: { resourceVersion: metadata.resourceVersion },
      releases,
    })
    expectDone(await kubectl('apply', manifest('c', 'a', 'b')))
    const [made, ...others] = (await stored('timage', 'applied')).releases
    expect(others).toEqual(releases)
    expect(Date.parse(made.createTime)).toBeGreaterThan(Date.parse(releases[0].createTime))
  })
  it('of more releases than the framework allows loses the last, and is told which (TI-M6)', async () => {
    expectDone(await on('patch', 'tfc', 'tars-framework', '--type=merge', '-p', '{"recordLimit":{"timageRelease":10}}'))
    const releases = Array.from({ length: 12 }, (_, i) => release(`v${i + 1}`))
    const create = async (turn: number) => {
      const { stderr } = await kubectl('create', ours('TImage', `many-${turn}`, { imageType: 'server', releases }))
      return stderr
    }
    let [turn, shown] = [0, '']
    for (; turn < 50 && shown === ''; turn += 1) shown = await create(turn) // the cache hears of the new limit soon
    expect(shown).toBe(
      'Warning: releases: 2 too many, for recordLimit.timageRelease of tars-framework is 10 (TI-M6)\n' +
        'Warning: releases: dropped v11, v12 (TI-M6)\n',
    )
    expect((await stored('timage', `many-${turn - 1}`)).releases).toHaveLength(10)
  })
  it('of no type the API server refuses', async () => {
    const { stderr } = await kubectl('create', ours('TImage', 'bare', {}))
    expect(stderr).toContain('The TImage "bare" is invalid: \n* imageType: Required value\n')
  })
})

describe('TTree', () => {
  const business = { name: '业务', show: 1 }

  it('is admitted under its name, and its apps belong to a business that is there (TR-M1)', async () => {
    const apps = [
      { name: 'Demo', businessRef: '业务' },
      { name: 'Shop', businessRef: 'gone' },
    ]
    expectDone(await kubectl('create', ours('TTree', 'tars-tree', { businesses: [business], apps })))
    expect(await stored('ttree', 'tars-tree')).toMatchObject({
      businesses: [{ ...business, weight: 3 }],
      apps: [
        { name: 'Demo', businessRef: '业务' },
        { name: 'Shop', businessRef: '' },
      ],
    })
  })
  it('of another name is refused (TR-V1)', async () => {
    const { code, stderr } = await kubectl('create', ours('TTree', 'other', { businesses: [], apps: [] }))
    expect(stderr).toContain(
      'admission webhook "validating.tars.io" denied the request: metadata.name: only one TTree named "tars-tree" is ' +
        'allowed in a namespace; give it that name, or edit the one that is there (TR-V1)',
    )
    expect(code).toBe(1)
  })
  it('is there once: the second is refused by the API server (TR-V1)', async () => {
    const { stderr } = await kubectl('create', ours('TTree', 'tars-tree', { businesses: [], apps: [] }))
    expect(stderr).toContain('ttrees.k8s.tars.io "tars-tree" already exists')
  })
  it('keeps its names apart (TR-V2, TR-V3)', async () => {
    const apps = [
      { name: 'Demo', businessRef: '' },
      { name: 'Demo', businessRef: '' },
    ]
    const { stderr } = await kubectl('apply', ours('TTree', 'tars-tree', { businesses: [business, business], apps }))
    expect(stderr).toContain(
      'businesses[1].name: "业务" duplicates businesses[0]; give each business a name of its own (TR-V2)',
    )
    expect(stderr).toContain('apps[1].name: "Demo" duplicates apps[0]; list each app once (TR-V3)')
  })
  it('is not deleted (TR-V6), but with its namespace', async () => {
    const { stderr } = await on('delete', 'ttree', 'tars-tree')
    expect(stderr).toBe(
      'Error from server (Forbidden): admission webhook "validating.tars.io" denied the request: ' +
        'metadata.name: TTree kinds/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)\n',
    )
    expectDone(await cluster.kubectl(['create', 'namespace', 'felled']))
    const stdin = JSON.stringify(ours('TTree', 'tars-tree', { businesses: [], apps: [] }))
    expectDone(await cluster.kubectl(['create', '--namespace=felled', '-f', '-'], { stdin }))
    expectDone(await cluster.kubectl(['delete', 'namespace', 'felled', '--timeout=50s']))
  })
})

describe('TEndpoint and TExitedRecord', () => {
  it('are stored as they are, the status of the one apart from the rest', async () => {
    const labels = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
    const record = { app: 'Demo', server: 'Echo', pods: [{ uid: 'u', name: 'demo-echo-0', id: 'v1' }] }
    expectDone(
      await kubectl(
        'create',
        ours('TExitedRecord', 'demo-echo', { ...record, metadata: { name: 'demo-echo', labels } }),
      ),
    )
    expect(await stored('texitedrecord', 'demo-echo')).toMatchObject(record)
    const spec = { app: 'Demo', server: 'Echo', subType: 'tars', tars: { servants: [{ name: 'EchoObj', port: 1 }] } }
    expectDone(await kubectl('create', ours('TEndpoint', 'demo-echo', { spec, status: { pods: [{ name: 'x' }] } })))
    const endpoint = await stored('te', 'demo-echo')
    expect(endpoint).toMatchObject({ spec })
    expect(endpoint.status).toBeUndefined()
    const status = JSON.stringify({ status: { pods: [{ name: 'demo-echo-0', pid: '123' }] } })
    expectDone(await on('patch', 'te', 'demo-echo', '--subresource=status', '--type=merge', '-p', status))
    expect((await stored('te', 'demo-echo')).status.pods).toEqual([{ name: 'demo-echo-0', pid: '123' }])
  })
})
