import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { ruleTexts } from './nacos-texts.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
const namespace = 'nacos-doors'
/** The three manifests of the usage guide. */
const GUIDE = readFileSync('manifests/samples/good/nacos.yaml', 'utf8').replaceAll(
  'namespace: default',
  `namespace: ${namespace}`,
)
let product: Product

const kubectl = (...words: readonly string[]) => cluster.kubectl([...words, `--namespace=${namespace}`])
const setUser = (text: string) =>
  kubectl(
    'patch',
    'configmap',
    'nacos-user-config',
    '--type=merge',
    '-p',
    JSON.stringify({ data: { 'user.properties': text } }),
  )

beforeAll(async () => {
  product = await install(cluster, '--nacos-protected-keys=db.*')
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

describe('Nacos on a real API server', () => {
  it('the usage guide is admitted, and applied again without a change', async () => {
    expect(await cluster.kubectl(['apply', '-f', '-'], { stdin: GUIDE })).toMatchObject({ code: 0, stderr: '' })
    const again = await cluster.kubectl(['apply', '-f', '-'], { stdin: GUIDE })
    expect(again.stdout.match(/unchanged/g)).toHaveLength(3)
  })

  it('kubectl get shows what the earlier operators show (NC-CRD-01)', async () => {
    const { stdout } = await kubectl('get', 'nacos', 'my-nacos')
    expect(stdout.split('\n')[0]?.split(/\s+/)).toEqual(
      expect.arrayContaining(['NAME', 'REPLICAS', 'READY', 'TYPE', 'DBTYPE', 'VERSION', 'HEALTHY', 'AGE']),
    )
  })

  it('defaults are filled in, and no other field (NC-ADM-06, NC-ADM-07, NC-ADM-09)', async () => {
    const bare = {
      apiVersion: 'nacos.io/v1alpha1',
      kind: 'Nacos',
      metadata: { name: 'bare' },
      spec: { image: 'a:v2.4.3' },
    }
    expectDone(
      await cluster.kubectl(['create', '-f', '-', `--namespace=${namespace}`], { stdin: JSON.stringify(bare) }),
    )
    const { stdout } = await kubectl('get', 'nacos', 'bare', '-o', 'jsonpath={.spec}')
    expect(JSON.parse(stdout)).toEqual({ image: 'a:v2.4.3', type: 'standalone', replicas: 1 })
  })

  it('a type does not change (NC-ADM-20)', async () => {
    const { code, stderr } = await kubectl(
      'patch',
      'nacos',
      'my-nacos',
      '--type=merge',
      '-p',
      '{"spec":{"type":"standalone","replicas":1}}',
    )
    expect(code).toBe(1)
    expect(stderr).toContain('spec.type: immutable; create another Nacos (NC-ADM-20)')
  })

  it('a protected Nacos is not deleted (NC-ADM-90)', async () => {
    expectDone(await kubectl('annotate', 'nacos', 'bare', 'nacos.io/deletion-protection=true'))
    const { stderr } = await kubectl('delete', 'nacos', 'bare')
    expect(stderr).toContain('Nacos "bare" is protected; remove the annotation first (NC-ADM-90)')
  })
})

describe('ConfigMaps of Nacos on a real API server', () => {
  it('one without the label is not asked of (NC-ADM-01)', async () => {
    expect(await setUser('a=\\u')).toMatchObject({ code: 0, stderr: '' })
    expectDone(await setUser('a=1'))
    expectDone(await kubectl('label', 'configmap', 'nacos-user-config', 'nacos.io/config-role=source'))
  })

  it('a source with an error is refused by its line (NC-ADM-40)', async () => {
    const { code, stderr } = await setUser('a=1\n\nb=\\u')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'data[user.properties]: ConfigMap "nacos-user-config" key "user.properties" line 3: malformed \\uxxxx escape (used by Nacos "my-nacos"); correct that line (NC-ADM-40)',
    )
  })

  it('a good one says what it restarts (NC-ADM-46)', async () => {
    const { code, stderr } = await setUser('a=2')
    expect(code).toBe(0)
    expect(stderr).toContain('Warning: data: 1 Nacos cluster(s) will be restarted one member at a time: "my-nacos"')
  })

  it('a key that is used stays (NC-ADM-42)', async () => {
    const { stderr } = await kubectl(
      'patch',
      'configmap',
      'nacos-user-config',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/data"}]',
    )
    expect(stderr).toContain(
      'key "user.properties" is used by Nacos "my-nacos"; change the reference first (NC-ADM-42)',
    )
  })

  it('a source may be deleted, with a warning (NC-ADM-43)', async () => {
    const { code, stderr } = await kubectl('delete', 'configmap', 'nacos-user-config')
    expect(code).toBe(0)
    expect(stderr).toContain(
      'still used by Nacos "my-nacos"; the running configuration is kept but cannot be changed (NC-ADM-43)',
    )
  })
})

describe('every text of a rule', () => ruleTexts(cluster))
