import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import './tserver-completed.ts'
import { expectDone, install, type Product } from './product.ts'
import { API, cluster, kubectl, namespace, on, RELEASE, server } from './tserver-cluster.ts'

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
