import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectDone } from './product.ts'
import { cluster, inNamespace, kubectl, on, RELEASE, server } from './tserver-cluster.ts'

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
