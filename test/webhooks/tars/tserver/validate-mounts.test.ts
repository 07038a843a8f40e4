import { describe, expect, it } from 'vitest'
import { aMount, aTServer, type SOURCES } from '../../../support/builders/servers.ts'
import { answerTo, creationOf, itSays, onUpdate, refused, there } from './validating.ts'

const mounts = (...names: readonly string[]) => names.map((name, i) => aMount({ name, mountPath: `/data/${i}` }))
const mounted = (...paths: readonly string[]) => paths.map((mountPath, i) => aMount({ name: `m${i}`, mountPath }))

describe('TS-V14 names of mounts differ', () => {
  itSays([
    { name: 'different ones pass', server: { k8s: { mounts: mounts('a', 'b') } }, answer: 'allowed' },
    {
      name: 'the same name twice',
      server: { k8s: { mounts: mounts('data', 'a', 'data') } },
      answer: refused('spec.k8s.mounts[2].name: "data" duplicates mounts[0]; give each a name of its own (TS-V14)'),
    },
    {
      name: 'case tells them apart, so that TS-V22 alone speaks',
      server: { k8s: { mounts: mounts('data', 'Data') } },
      answer: refused(
        'spec.k8s.mounts[1].name: "Data" must be a lower-case DNS label; take another name, of small letters, digits and - (TS-V22)',
      ),
    },
  ])
})

const CLAIMS = ['persistentVolumeClaimTemplate', 'tLocalVolume'] as const
const OTHERS = ['configMap', 'secret', 'emptyDir', 'hostPath', 'persistentVolumeClaim'] as const

describe('TS-V19 a daemonSet has no claims of its own', () => {
  itSays([
    ...CLAIMS.map((of) => ({
      name: `no ${of}`,
      server: { k8s: { daemonSet: true, mounts: [aMount({ of })] } },
      answer: refused(
        `spec.k8s.mounts[0].source.${of}: not allowed when spec.k8s.daemonSet is true; use another source, hostPath or emptyDir (TS-V19)`,
      ),
    })),
    ...OTHERS.map((of) => ({
      name: `but ${of}`,
      server: { k8s: { daemonSet: true, mounts: [aMount({ of })] } },
      answer: 'allowed',
    })),
    ...CLAIMS.map((of) => ({
      name: `replicas have ${of}`,
      server: { k8s: { mounts: [aMount({ of })] } },
      answer: 'allowed',
    })),
  ])

  it('is told when replicas become a daemonSet', async () => {
    const k8s = { mounts: [aMount({ of: 'tLocalVolume' })] }
    expect(await onUpdate(aTServer({ k8s }), aTServer({ k8s: { ...k8s, daemonSet: true } }))).toMatch('(TS-V19)')
  })
})

describe('TS-V22 a mount is named as a volume can be', () => {
  const remedy = 'take another name, of small letters, digits and - (TS-V22)'
  itSays([
    { name: 'a DNS label', server: { k8s: { mounts: mounts('host-log-dir', '0') } }, answer: 'allowed' },
    ...['HostLog', 'hostLog', 'logS'].map((name) => ({
      name: `no capital letter, which the schema lets pass: ${name}`,
      server: { k8s: { mounts: mounts(name) } },
      answer: refused(`spec.k8s.mounts[0].name: "${name}" must be a lower-case DNS label; ${remedy}`),
    })),
    {
      name: 'not as what the controller adds',
      server: { k8s: { mounts: mounts('host-timezone', 'tarsnode-work-dir') } },
      answer: refused(
        `spec.k8s.mounts[0].name: "host-timezone" is reserved; ${remedy}`,
        `spec.k8s.mounts[1].name: "tarsnode-work-dir" is reserved; ${remedy}`,
      ),
    },
    {
      name: 'which is less for any other server',
      server: { normal: [], k8s: { mounts: mounts('host-timezone', 'tarsnode-work-dir') } },
      answer: refused(`spec.k8s.mounts[0].name: "host-timezone" is reserved; ${remedy}`),
    },
  ])
})

describe('TS-V23 a mount has a path of its own', () => {
  const remedy = 'give each mount a path of its own, and one of subPath and subPathExpr at most (TS-V23)'
  const at = (i: number, text: string) => `spec.k8s.mounts[${i}].mountPath: ${text}; ${remedy}`
  itSays([
    { name: 'different ones pass', server: { k8s: { mounts: mounted('/a', '/a/b', '/') } }, answer: 'allowed' },
    {
      name: 'the same path twice',
      server: { k8s: { mounts: mounted('/a', '/b', '/a') } },
      answer: refused(at(2, '/a already used by mounts[0]')),
    },
    {
      name: 'a trailing slash makes no other',
      server: { k8s: { mounts: mounted('/a', '/a/', '/etc/localtime/') } },
      answer: refused(at(1, '/a/ already used by mounts[0]'), at(2, '/etc/localtime/ is reserved')),
    },
    {
      name: 'one that is no path is shown in quotes',
      server: { k8s: { mounts: mounted('', '', '/a\n', '/a\n') } },
      answer: refused(at(1, '"" already used by mounts[0]'), at(3, '"/a\\n" already used by mounts[2]')),
    },
    {
      name: 'what the controller mounts is reserved',
      server: { k8s: { mounts: mounted('/etc/localtime', '/usr/local/app/tars/tarsnode') } },
      answer: refused(at(0, '/etc/localtime is reserved'), at(1, '/usr/local/app/tars/tarsnode is reserved')),
    },
    {
      name: 'which is less for any other server',
      server: { normal: [], k8s: { mounts: mounted('/etc/localtime', '/usr/local/app/tars/tarsnode') } },
      answer: refused(at(0, '/etc/localtime is reserved')),
    },
    {
      name: 'not both subPath and subPathExpr',
      server: { k8s: { mounts: [aMount({ subPath: 'a', subPathExpr: '$(PodName)' })] } },
      answer: refused(`spec.k8s.mounts[0].subPathExpr: cannot stand together with subPath; ${remedy}`),
    },
    {
      name: 'one of them, or an empty one beside it',
      server: { k8s: { mounts: [aMount({ subPath: '', subPathExpr: '$(PodName)' })] } },
      answer: 'allowed',
    },
  ])
})

describe('TS-W2 claims are for tars servers', () => {
  const words = (of: string) =>
    `spec.k8s.mounts[0].source.${of}: only for spec.subType "tars"; use another source (TS-W2)`
  const server = (of: keyof typeof SOURCES) => ({ normal: [], k8s: { mounts: [aMount({ of })] } })
  itSays([
    ...CLAIMS.map((of) => ({ name: `no ${of}`, server: server(of), answer: refused(words(of)) })),
    ...OTHERS.map((of) => ({ name: `but ${of}`, server: server(of), answer: 'allowed' })),
    ...CLAIMS.map((of) => ({ name: `a tars server has ${of}`, server: { k8s: server(of).k8s }, answer: 'allowed' })),
  ])

  it.each(CLAIMS)('the profile upstream warns of %s', async (of) => {
    expect(await answerTo(creationOf(aTServer(server(of))), there, 'upstream')).toBe(`allowed\nwarning: ${words(of)}`)
  })

  it('one that was there stays, one that is added is refused: of another name, or of another kind', async () => {
    const old = aTServer(server('tLocalVolume'))
    const local = aMount({ of: 'tLocalVolume' })
    const next = (...mounts: readonly object[]) => aTServer({ normal: [], k8s: { mounts } })
    expect(await onUpdate(old, next(aMount({ name: 'a', mountPath: '/a' }), local))).toBe('allowed')
    expect(await onUpdate(old, next({ ...local, name: 'other' }))).toMatch('mounts[0].source.tLocalVolume: only')
    expect(await onUpdate(old, next(aMount({ of: 'persistentVolumeClaimTemplate' })))).toMatch('(TS-W2)')
  })
})
