import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
const namespace = 'servers'
const inNamespace = `--namespace=${namespace}`
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await kubectl('create', [TEMPLATE, FRAMEWORK]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const API = 'k8s.tars.io/v1beta2'
const TEMPLATE = {
  apiVersion: API,
  kind: 'TTemplate',
  metadata: { name: 'tars.cpp' },
  spec: { parent: 'tars.cpp', content: '' },
}
const FRAMEWORK = {
  apiVersion: API,
  kind: 'TFrameworkConfig',
  metadata: { name: 'tars-framework' },
  imageRegistry: { registry: 'registry.example/tars' },
  nodeImage: { image: 'registry.example/tars/tarsnode:v1' },
}
const RELEASE = { id: 'r1', image: 'registry.example/demo/echo:r1' }

/** What an author has to write, and no more. */
function server(name: string, spec: object = {}, metadata: object = {}): object {
  const tars = { template: 'tars.cpp', servants: [{ name: 'EchoObj', port: 18600 }] }
  const usual = { app: 'Demo', server: name, subType: 'tars', tars, k8s: {} }
  return {
    apiVersion: API,
    kind: 'TServer',
    metadata: { name: `demo-${name.toLowerCase()}`, ...metadata },
    spec: { ...usual, ...spec },
  }
}
function kubectl(verb: string, objects: object | readonly object[], ...flags: readonly string[]): Promise<Printed> {
  const stdin = [objects]
    .flat()
    .map((object) => JSON.stringify(object))
    .join('\n---\n')
  return cluster.kubectl([verb, inNamespace, '-f', '-', ...flags], { stdin })
}
const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])
const stored = async (name: string) => JSON.parse((await on('get', 'tserver', name, '-o', 'json')).stdout)

describe('a TServer, as its author meets it', () => {
  it('is completed: labels, defaults, no replicas without a release', async () => {
    expectDone(await kubectl('apply', server('Echo')))
    const { metadata, spec } = await stored('demo-echo')
    expect(metadata.labels).toEqual({
      'tars.io/ServerApp': 'Demo',
      'tars.io/ServerName': 'Echo',
      'tars.io/SubType': 'tars',
      'tars.io/Template': 'tars.cpp',
    })
    expect(spec).toMatchObject({
      important: 3,
      tars: { asyncThread: 3, servants: [{ thread: 3, capacity: 10000, timeout: 60000, isTars: true, isTcp: true }] },
      k8s: {
        replicas: 0,
        readinessGate: 'tars.io/active',
        abilityAffinity: 'AppOrServerPreferred',
        resources: {},
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      },
    })
  })

  it('gets time and node image with its release, and its replicas stay within their bounds (TS-M8, M9, M11, M12)', async () => {
    const bounds = { annotations: { 'tars.io/MinReplicas': '2', 'tars.io/MaxReplicas': '4' } }
    expectDone(await kubectl('apply', server('Echo', { release: RELEASE, k8s: { replicas: 9 } }, bounds)))
    const { spec } = await stored('demo-echo')
    expect(spec.k8s.replicas).toBe(4)
    expect(spec.release).toEqual({
      ...RELEASE,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      nodeImage: 'registry.example/tars/tarsnode:v1',
    })
  })

  it('kubectl scale stays within them too (TS-M16)', async () => {
    const replicas = async () => (await stored('demo-echo')).spec.k8s.replicas
    const scaled = async (wish: number) => (await on('scale', 'tserver/demo-echo', `--replicas=${wish}`)).stderr
    expect(await scaled(1)).toBe(
      'Warning: spec.replicas: 1 becomes 2, for annotation tars.io/MinReplicas asks for more (TS-M16)\n',
    )
    expect(await replicas()).toBe(2)
    expect(await scaled(0)).toContain('Warning: spec.replicas: 0 becomes 2, for ')
    expect(await scaled(50)).toBe(
      'Warning: spec.replicas: 50 becomes 4, for annotation tars.io/MaxReplicas allows no more (TS-M16)\n',
    )
    expect(await replicas()).toBe(4)
    expect(await scaled(3)).toBe('')
    expect(await replicas()).toBe(3)
  })

  it('without a release it is scaled to nothing (TS-M16)', async () => {
    expectDone(await kubectl('create', server('Idle')))
    const { stdout, stderr } = await on('scale', 'tserver/demo-idle', '--replicas=5')
    expect(stdout).toBe('tserver.k8s.tars.io/demo-idle scaled\n')
    expect(stderr).toBe('Warning: spec.replicas: 5 becomes 0, for there is no release (TS-M16)\n')
    expect((await stored('demo-idle')).spec.k8s.replicas).toBe(0)
  })

  it('who is overruled reads so, with both values, from apply, patch and label (TS-M1, TS-M5, TS-M6)', async () => {
    const warning = 'Warning: spec.k8s.replicas: 3 becomes 0, for there is no release (TS-M6)\n'
    const wish = server('Wish', { k8s: { replicas: 3 } })
    for (const flags of [[], [], ['--server-side', '--force-conflicts']]) {
      const { stdout, stderr } = await kubectl('apply', wish, ...flags)
      expect(stdout).toMatch(/^tserver.k8s.tars.io\/demo-wish (created|configured|unchanged|serverside-applied)\n$/)
      expect(stderr).toBe(warning)
    }
    const patched = (patch: object) => on('patch', 'tserver', 'demo-wish', '--type=merge', '-p', JSON.stringify(patch))
    expect((await patched({ spec: { k8s: { replicas: 3 } } })).stderr).toBe(warning)
    expect((await patched({ spec: { k8s: { readinessGate: 'my/gate' } } })).stderr).toBe(
      'Warning: spec.k8s.readinessGate: "my/gate" becomes "tars.io/active", for a tars server has this gate (TS-M5)\n',
    )
    expect((await on('label', 'tserver', 'demo-wish', 'tars.io/ServerApp=Other', '--overwrite')).stderr).toBe(
      'Warning: metadata.labels[tars.io/ServerApp]: "Other" becomes "Demo", for it mirrors spec.app (TS-M1)\n',
    )
  })

  it('what was filled in, or came back from kubectl get, is no wish', async () => {
    expect((await kubectl('apply', server('Calm'))).stderr).toBe('')
    expect((await kubectl('create', server('Still'))).stderr).toBe('')
    expect((await kubectl('replace', await stored('demo-calm'))).stderr).toBe('')
    expect((await on('patch', 'tserver', 'demo-calm', '--type=merge', '-p', '{"spec":{"important":4}}')).stderr).toBe(
      '',
    )
  })

  it('one replica is a default, and a wish where the file of an apply has it (W-5)', async () => {
    const one = (name: string) => server(name, { k8s: { replicas: 1 } })
    const warning = 'Warning: spec.k8s.replicas: 1 becomes 0, for there is no release (TS-M6)\n'
    expect((await kubectl('apply', one('One'))).stderr).toBe(warning)
    expect((await kubectl('apply', one('Served'), '--server-side')).stderr).toBe(warning)
    expect((await kubectl('apply', server('Silent'), '--server-side')).stderr).toBe('')
    expect((await kubectl('create', one('Usual'))).stderr).toBe('')
  })

  it('is completed whatever stands in its status, which nobody keeps (W-4)', async () => {
    const odd = { status: { replicas: 'x', selector: {} } }
    expectDone(await kubectl('create', { ...server('Odd', { k8s: { replicas: 5 } }), ...odd }, '--validate=false'))
    const { metadata, spec, status } = await stored('demo-odd')
    expect(metadata.labels).toMatchObject({ 'tars.io/Template': 'tars.cpp' })
    expect([spec.k8s.replicas, status]).toEqual([0, undefined])

    const patch = JSON.stringify({ ...odd, metadata: { labels: null }, spec: { k8s: { replicas: 50 } } })
    expectDone(await on('patch', 'tserver', 'demo-odd', '--type=merge', '-p', patch))
    const after = await stored('demo-odd')
    expect([after.metadata.labels, after.spec.k8s.replicas]).toEqual([metadata.labels, 0])
  })

  it('apply of the same file again changes nothing', async () => {
    const file = server('Same', { release: RELEASE })
    expectDone(await kubectl('apply', file))
    const before = (await stored('demo-same')).metadata.resourceVersion
    expectDone(await kubectl('apply', file))
    expect((await stored('demo-same')).metadata.resourceVersion).toBe(before)
  })

  it('apply --server-side completes and refuses alike', async () => {
    expectDone(await kubectl('apply', server('Side'), '--server-side'))
    expect((await stored('demo-side')).metadata.labels['tars.io/SubType']).toBe('tars')
    const { stderr } = await kubectl('apply', server('Side', { important: 3, normal: { ports: [] } }), '--server-side')
    expect(stderr).toContain('(TS-V5)')
  })

  it('create --dry-run=server and diff show what would become of it, and store nothing', async () => {
    const { stdout } = await kubectl('create', server('Dry'), '--dry-run=server', '-o', 'json')
    expect(JSON.parse(stdout).metadata.labels).toMatchObject({ 'tars.io/Template': 'tars.cpp' })
    expect((await kubectl('diff', server('Dry'))).stdout).toContain('+    tars.io/SubType: tars')
    expect((await on('get', 'tserver', 'demo-dry')).stderr).toContain('not found')
  })

  it('edit and patch are reviewed like all else', async () => {
    const env = { KUBE_EDITOR: 'sed -i s/18600/19385/', TMPDIR: cluster.folder }
    const { stderr } = await cluster.kubectl(['edit', 'ts', 'demo-idle', inNamespace], { env })
    const [, copy = ''] = /stored to "(.+)"/.exec(stderr) ?? []
    expect(readFileSync(copy, 'utf8')).toContain('(TS-V11)')
    expectDone(await on('patch', 'ts', 'demo-idle', '--type=merge', '-p', '{"spec":{"important":5}}'))
    const bad = '{"spec":{"tars":{"template":"nowhere"}}}'
    expect((await on('patch', 'ts', 'demo-idle', '--type=merge', '-p', bad)).stderr).toContain('(TS-V15)')
  })

  it('a label that a user removes or changes comes back (TS-M1)', async () => {
    expectDone(await on('label', 'ts', 'demo-idle', 'tars.io/ServerApp-', 'tars.io/SubType=x', '--overwrite'))
    expect((await stored('demo-idle')).metadata.labels).toMatchObject({
      'tars.io/ServerApp': 'Demo',
      'tars.io/SubType': 'tars',
    })
  })
})

describe('what a TServer is refused for, as kubectl prints it', () => {
  const saying = async (spec: object, metadata?: object) =>
    (await kubectl('create', server('Bad', spec, metadata))).stderr

  it('several things at once, each with its path and rule', async () => {
    const servants = [
      { name: 'EchoObj', port: 18600 },
      { name: 'echoobj', port: 19385 },
    ]
    const shown = await saying({ tars: { template: 'nowhere', servants } })
    for (const words of ['spec.tars.servants[1].name: ', '(TS-V8)', 'spec.tars.servants[1].port: ', '(TS-V11)'])
      expect(shown).toContain(words)
    expect(shown).toContain('spec.tars.template: TTemplate servers/nowhere does not exist')
  })
  it('a release without a node image anywhere (TS-V21) is refused before it is stored', async () => {
    expectDone(await cluster.kubectl(['create', 'namespace', 'unframed']))
    const objects = [TEMPLATE, server('Bad', { release: RELEASE })].map((each) => JSON.stringify(each)).join('\n---\n')
    const { stderr } = await cluster.kubectl(['create', '--namespace=unframed', '-f', '-'], { stdin: objects })
    expectDone(await cluster.kubectl(['delete', 'namespace', 'unframed', '--timeout=50s']))
    expect(stderr).toContain('spec.release.nodeImage: ')
    expect(stderr).toContain('(TS-V21)')
  })
  it.each([
    ['a list', []],
    ['a list of something', ['2022-03-01T08:00:00Z']],
    ['a time with words behind it', '2022-03-01T08:00:00Ztea'],
    ['a time with something before its zone', '2022-03-01T08:00:00x5Z'],
    ['the 30th of February', '2022-02-30T08:00:00Z'],
    ['an offset that no clock has', '2022-03-01T08:00:00+99:99'],
  ])('%s for the time of its release, so that nothing gets past the rules unread (CV-8)', async (_, time) => {
    const { code, stderr } = await kubectl(
      'create',
      server('Late', { release: { ...RELEASE, time } }),
      '--validate=false',
    )
    expect(code).toBe(1)
    expect(stderr).toContain('spec.release.time: Invalid value')
    if (typeof time === 'string')
      expect(stderr).toBe(
        `The TServer "demo-late" is invalid: spec.release.time: Invalid value: "${time}": ` +
          'is no time; write one in the form of RFC 3339, like "2026-03-01T08:00:00Z"\n',
      )
  })

  it('what cannot be changed, the CustomResourceDefinition says itself, in the words of the rule (TS-V1)', async () => {
    const { stderr } = await on('patch', 'ts', 'demo-idle', '--type=merge', '-p', '{"spec":{"app":"Other"}}')
    expect(stderr).toMatch(/^The TServer "demo-idle" is invalid: .*spec\.app: Invalid value: .*\(TS-V1\)/s)
  })
  it('a name that does not follow from app and server as well (TS-V6)', async () => {
    const shown = await saying({ server: 'Other' })
    expect(shown).toContain('metadata.name: Invalid value: ')
    expect(shown).toContain('(TS-V6)')
  })
  it('and one of 59 characters, but none of 58 (TS-V7)', async () => {
    const named = (length: number) => server('S'.repeat(length - 'demo-'.length), { k8s: { abilityAffinity: 'None' } })
    expectDone(await kubectl('create', named(58)))
    expect((await kubectl('create', named(59))).stderr).toMatch(/: metadata\.name: Invalid value: .*\(TS-V7\)\n$/)
  })
  it('both hold while nobody answers here (CV-1)', async () => {
    await product.webhook.stop('SIGKILL')
    try {
      expectDone(await cluster.kubectl(['delete', 'validatingwebhookconfiguration', 'tars-admission-validating']))
      expectDone(await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', 'tars-admission-mutating']))
      const { stderr } = await on('patch', 'ts', 'demo-idle', '--type=merge', '-p', '{"spec":{"app":"Other"}}')
      expect(stderr).toContain('(TS-V1)')
      expect(await saying({ server: 'Other' })).toContain('(TS-V6)')
    } finally {
      expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: await product.manifests('webhooks') }))
      await product.webhook.start()
    }
  })
  it('one violation is one sentence', async () => {
    expect(await saying({ k8s: { hostPorts: [{ nameRef: 'NoObj', port: 30600 }] } })).toMatch(
      /^The TServer "demo-bad" is invalid: spec\.k8s\.hostPorts\[0\]\.nameRef: .*\(TS-V16\)\n$/,
    )
    expect(await saying({}, { annotations: { 'tars.io/MinReplicas': '007' } })).toMatch('(TS-V20)')
  })
})
