import { beforeAll, describe, expect, it } from 'vitest'
import { expectDone, IDENTITY } from './product.ts'
import {
  audited,
  config,
  deactivatedBy,
  kubectl,
  marksOf,
  metaOf,
  on,
  patch,
  stored,
  treeOf,
  UNMARKED,
} from './tconfig-cluster.ts'
import { until } from './until.ts'

const WEBHOOK = `system:serviceaccount:${IDENTITY.namespace}:${IDENTITY.name}`

describe('what admission completes', () => {
  it('TC-M1…M9: labels, version and time, and TC-M11 who activated it', async () => {
    expectDone(
      await kubectl('create', config('made', 'made-1', { version: 'mine', updateTime: '2020-01-01T00:00:00Z' })),
    )
    const made = await stored('made-1')
    const { labels, annotations } = await metaOf('made-1')
    expect(made).toMatchObject({ server: 'Echo', podSeq: 'm', activated: true })
    expect(made.version).toMatch(/^20\d{12}-[0-9a-f]+$/)
    expect(made.updateTime).toMatch(/^20(?!20)\d\d-.*Z$/)
    expect(labels).toEqual({
      'tars.io/ServerApp': 'Demo',
      'tars.io/ServerName': 'Echo',
      'tars.io/ConfigName': 'made',
      'tars.io/PodSeq': 'm',
      'tars.io/Activated': 'true',
      'tars.io/Version': made.version,
    })
    expect(annotations).toEqual({
      'tars.io/ActivatedAt': expect.stringMatching(/^20.*\.\d{3}Z$/),
      'tars.io/ActivatedBy': 'admin',
    })
    expect(audited('mutating-tconfig.tars.io/activated-by').at(-1)?.annotations).toMatchObject({
      'mutating-tconfig.tars.io/activated-by': 'admin',
    })
  })
  it('TC-M5: an empty podSeq, which the schema would refuse, is m', async () => {
    expectDone(await kubectl('create', config('seq', 'seq-1', { podSeq: '' })))
    expect(await stored('seq-1')).toMatchObject({ podSeq: 'm' })
  })
  it('a label that a user removes comes back, and who activated is not written by hand', async () => {
    expectDone(await on('label', 'tc', 'made-1', 'tars.io/ServerApp-', 'mine=kept'))
    expectDone(await on('annotate', 'tc', 'made-1', '--overwrite', 'tars.io/ActivatedBy=eve', 'tars.io/MarkedBy=eve'))
    const { labels, annotations } = await metaOf('made-1')
    expect(labels).toMatchObject({ 'tars.io/ServerApp': 'Demo', mine: 'kept' })
    expect(annotations).toMatchObject({ 'tars.io/ActivatedBy': 'admin' })
    expect(annotations).not.toHaveProperty(['tars.io/MarkedBy'])
  })
  it('what was applied may be applied again, by either kind of apply', async () => {
    for (const flags of [[], ['--server-side', '--force-conflicts']]) {
      expect(await kubectl('apply', config('applied', 'applied-1'), ...flags)).toMatchObject({ code: 0 })
      expect(await kubectl('apply', config('applied', 'applied-1'), ...flags)).toMatchObject({ code: 0, stderr: '' })
    }
  })
  it('generateName: versions made one after the other differ', async () => {
    const generated = config('generated', '', { metadata: { generateName: 'made-' } })
    const [one, two] = [
      await kubectl('create', generated, '-o', 'json'),
      await kubectl('create', generated, '-o', 'json'),
    ]
    const [first, second] = [JSON.parse(one.stdout), JSON.parse(two.stdout)]
    expect(first.version).not.toBe(second.version)
    expect(two.stderr).toBe(`Warning: deactivates TConfig ${first.metadata.name}\n`)
  })
})

describe('TC-S1 an activation', () => {
  it('marks the version that was in force, in the name of the webhook, and the author is told', async () => {
    expectDone(await kubectl('create', config('echo', 'echo-1')))
    const { code, stderr } = await kubectl('create', config('echo', 'echo-2', { configContent: 'a=2' }))
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Warning: deactivates TConfig echo-1\n' })
    expect(await marksOf('echo-1')).toEqual(deactivatedBy('echo-2'))
    expect(await stored('echo-1')).toMatchObject({ activated: true, configContent: 'a=1' })
    expect(await marksOf('echo-2')).toEqual(UNMARKED)
    const writes = audited('"verb":"patch"').filter(({ objectRef }) => treeOf(objectRef).name === 'echo-1')
    expect(writes.map(({ user }) => treeOf(user).username)).toEqual([WEBHOOK])
  })
  it('TC-M10: marks cannot be removed by hand', async () => {
    expectDone(await on('label', 'tc', 'echo-1', 'tars.io/Deactivating-', 'tars.io/Deactivate-'))
    expect(await marksOf('echo-1')).toEqual(deactivatedBy('echo-2'))
  })
  it('a rollback by patch: the old version comes back, and the newer one is marked', async () => {
    expectDone(await kubectl('create', [config('back', 'back-1', { activated: false }), config('back', 'back-2')]))
    const { stderr } = await patch('back-1', { activated: true })
    expect(stderr).toBe('Warning: deactivates TConfig back-2\n')
    expect(await marksOf('back-2')).toEqual(deactivatedBy('back-1'))
    expect((await metaOf('back-1')).labels).toMatchObject({ 'tars.io/Activated': 'true' })
  })
  it('of a whole application, whose label of the server is empty, finds its own versions alone', async () => {
    expectDone(await kubectl('create', [config('wide', 'wide-echo'), config('wide', 'wide-1', { server: '' })]))
    expect((await kubectl('create', config('wide', 'wide-2', { server: '' }))).stderr).toContain('TConfig wide-1\n')
    expect(await marksOf('wide-1')).toEqual(deactivatedBy('wide-2'))
    expect(await marksOf('wide-echo')).toEqual(UNMARKED)
    const selector = 'tars.io/ServerName=,tars.io/ConfigName=wide,tars.io/Activated=true,!tars.io/Deactivating'
    expect((await on('get', 'tc', '-l', selector, '-o', 'name')).stdout).toBe('tconfig.k8s.tars.io/wide-2\n')
  })
  it('of many at once: none is lost, and at least one stays unmarked, for none marks one that marks it', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `many-${i}`)
    expectDone(await kubectl('create', config('many', 'many')))
    const all = await Promise.all(names.map((name) => kubectl('create', config('many', name))))
    for (const each of all) expectDone(each)
    const named = async (...selectors: readonly string[]) => {
      const selector = ['tars.io/ConfigName=many', 'tars.io/Activated=true', ...selectors].join()
      return (await on('get', 'tc', '-l', selector, '-o', 'name')).stdout.trim().split('\n').filter(Boolean)
    }
    expect(await named()).toHaveLength(9)
    expect(await named('!tars.io/Deactivating')).not.toEqual([])
    expect(await named('!tars.io/Deactivating')).not.toContain('tconfig.k8s.tars.io/many')
  })
})

describe('W-9 nothing is written by', () => {
  const versions = async () => {
    const { stdout } = await on('get', 'tc', '-o', 'json')
    const items: { metadata: { name: string; resourceVersion: string } }[] = JSON.parse(stdout).items
    return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
  }
  beforeAll(async () => {
    expectDone(await kubectl('create', [config('dry', 'dry-1', { activated: false }), config('dry', 'dry-2')]))
    const isSeen = async () => (await kubectl('create', config('dry', 'dry-3'), '--dry-run=server')).stderr !== ''
    await until('the cache, which answers dry runs, has seen what is there', isSeen)
  })

  it.each([
    { name: 'a created one in a dry run', write: () => kubectl('create', config('dry', 'dry-3'), '--dry-run=server') },
    { name: 'an applied one in a dry run', write: () => kubectl('apply', config('dry', 'dry-3'), '--dry-run=server') },
    { name: 'a rollback in a dry run', write: () => patch('dry-1', { activated: true }, '--dry-run=server') },
  ])('$name, but what would follow is said', async ({ write }) => {
    const before = await versions()
    const { code, stderr } = await write()
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Warning: deactivates TConfig dry-2\n' })
    expect(await versions()).toEqual(before)
  })
  it('(c) a delete in a dry run, but what would follow is said', async () => {
    const before = await versions()
    const { code, stderr } = await on('delete', 'tc', 'dry-2', '--dry-run=server')
    expect(code).toBe(0)
    expect(stderr).toBe(
      'Warning: removes 2 versions, this one with its whole history, and there is no way back: Demo.Echo/dry\n',
    )
    expect(await versions()).toEqual(before)
  })
  it('(d) kubectl diff', async () => {
    const before = await versions()
    expect((await kubectl('diff', config('dry', 'dry-3'))).stdout).toContain('+    tars.io/Activated: "true"')
    expect(await versions()).toEqual(before)
  })
})

describe('the rules, as kubectl prints them', () => {
  beforeAll(async () => {
    expectDone(await kubectl('create', [config('ruled', 'ruled-1'), config('ruled', 'ruled-pod', { podSeq: '3' })]))
  })

  it.each([
    {
      rule: 'TC-V6',
      write: () => patch('ruled-1', { configContent: 'b=2' }),
      words: 'configContent: field is immutable; create a new TConfig with the new content (TC-V6)',
    },
    {
      rule: 'TC-V1',
      write: () => kubectl('apply', config('ruled', 'ruled-1', { app: 'Shop' })),
      words: 'app: field is immutable; create a new TConfig instead (TC-V1)',
    },
    {
      rule: 'TC-V5',
      write: () => patch('ruled-1', { version: '20260101000000-1' }),
      words:
        'version: field is immutable; write <version>, which was generated; a file for a new TConfig leaves it out (TC-V5)',
    },
  ])('$rule', async ({ write, words }) => {
    const { code, stderr } = await write()
    expect(stderr.replace(/\d{14}-[\da-f]+/, '<version>')).toContain(`The TConfig "ruled-1" is invalid: ${words}\n`)
    expect(code).toBe(1)
  })
  it('TC-V8: nobody deactivates by hand', async () => {
    expect((await patch('ruled-1', { activated: false })).stderr).toBe(
      'Error from server (Forbidden): admission webhook "validating-tconfig.tars.io" denied the request: ' +
        'activated: a configuration is deactivated by activating another version; ' +
        'create that version, or set its activated to true (TC-V8)\n',
    )
  })
  it('TC-V10: nobody is born with a mark', async () => {
    const marked = { metadata: { name: 'marked', labels: { 'tars.io/Deleting': '' } } }
    expect((await kubectl('create', config('ruled', 'marked', marked))).stderr).toBe(
      'The TConfig "marked" is invalid: metadata.labels[tars.io/Deleting]: reserved; leave the label out (TC-V10)\n',
    )
  })
  it('TC-V11: no variant of a whole application', async () => {
    const { stderr } = await kubectl('create', config('ruled', 'wide', { server: '', podSeq: '3' }))
    expect(stderr).toBe(
      'The TConfig "wide" is invalid: podSeq: application-level configuration has no node-level variant; ' +
        'name a server, or set podSeq to m (TC-V11)\n',
    )
  })
  it('TC-V12: no variant without its master', async () => {
    expect((await kubectl('create', config('alone', 'alone', { podSeq: '0' }))).stderr).toBe(
      'The TConfig "alone" is invalid: podSeq: no active master configuration Demo.Echo/alone; ' +
        'create or activate that one first, with podSeq m (TC-V12)\n',
    )
  })
  it('TC-V13: a master with variants stays', async () => {
    const { code, stderr } = await on('delete', 'tc', 'ruled-1')
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Error from server (Forbidden): admission webhook "validating-tconfig.tars.io" denied the request: ' +
        'metadata.name: TConfig configs/ruled-1: in use by node-level configuration ruled-pod; ' +
        'delete what is for single pods first, then repeat (TC-V13)\n',
    )
  })
  it('what the schema refuses, the API server says first', async () => {
    const { stderr } = await kubectl('create', config('ruled', 'wrong', { podSeq: '0m' }))
    expect(stderr).toContain('podSeq: Invalid value: "0m": podSeq in body should match')
  })
})
