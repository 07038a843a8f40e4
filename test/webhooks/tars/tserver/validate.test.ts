import { describe, expect, it } from 'vitest'
import type { Profile } from '../../../../src/admission/change.ts'
import type { Built, Readers } from '../../../../src/cluster/port.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aMount, aPort, aRelease, aServant, aTServer, SOURCES } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TSERVER)
const base = aTTemplate()
const there = readersOf(base)
const answerTo = async (body: unknown, readers: Readers = there, profile: Profile = 'seed') =>
  wordsOf(await answered(VALIDATING, body, { readers, profile }))
const onCreate = (object: unknown) => answerTo(creationOf(object))
const onUpdate = (old: unknown, object: unknown) => answerTo(updateOf(old, object))

/** `422 Invalid: path: text (ID)` of each. */
const refused = (...sentences: readonly string[]) => `422 Invalid: ${sentences.join('; ')}`
const another = 'create another TServer instead'

type Server = NonNullable<Parameters<typeof aTServer>[0]>
interface Case {
  readonly name: string
  readonly server: Server
  readonly answer: string
}
/** The same of a new server, in a dry run as well, and of anybody at all. */
function itSaysOfNew(cases: readonly Case[]) {
  it.each(cases)('$name', async ({ server, answer }) => {
    const object = aTServer(server)
    for (const sent of [{}, { dryRun: true }, { user: CTRL }] satisfies Sent[])
      expect(await answerTo(creationOf(object, sent))).toBe(answer)
    expect(await answerTo(updateOf(object, { ...object, status: undefined }))).toBe('allowed') // it stood there before (CV-8)
  })
}
/** And of an old one that becomes so. */
function itSays(cases: readonly Case[]) {
  itSaysOfNew(cases)
  it.each(cases)('$name: of an old server as well', async ({ server, answer }) => {
    const old = aTServer({ ...(server.normal && { normal: [] }), servants: [] })
    expect(await onUpdate(old, aTServer(server))).toBe(answer)
  })
}

describe('TS-V1, TS-V2, TS-V3 what a server is stays', () => {
  it.each([
    { id: 'TS-V1', path: 'spec.app', server: { app: 'Other', name: 'demo-echo' } },
    { id: 'TS-V2', path: 'spec.server', server: { server: 'Other', name: 'demo-echo' } },
  ])('$id $path', async ({ id, path, server }) => {
    expect(await onUpdate(aTServer(), aTServer(server))).toBe(
      refused(`${path}: field is immutable; ${another} (${id})`),
    )
  })

  it('TS-V3 spec.subType', async () => {
    expect(await onUpdate(aTServer(), aTServer({ normal: [] }))).toBe(
      refused(
        `spec.subType: field is immutable; ${another} (TS-V3)`,
        `spec.tars: block cannot be removed; ${another} (TS-V4)`,
        `spec.normal: block cannot be added to a tars server; ${another} (TS-V4)`,
      ),
    )
  })

  it('the case of spec.app is part of it', async () => {
    expect(await onUpdate(aTServer(), aTServer({ app: 'demo' }))).toBe(
      refused(`spec.app: field is immutable; ${another} (TS-V1)`),
    )
  })

  it('nobody is exempt', async () => {
    for (const user of [CTRL, 'system:serviceaccount:kube-system:namespace-controller'])
      expect(await answerTo(updateOf(aTServer(), aTServer({ app: 'demo' }), { user }))).toMatch('(TS-V1)')
  })

  it('everything else may change', async () => {
    const next = aTServer({ servants: [aServant({ name: 'OtherObj', port: 1 })], k8s: { replicas: 0, hostIPC: true } })
    expect(await onUpdate(aTServer(), next)).toBe('allowed')
  })
})

describe('TS-V4 the blocks of a server stay', () => {
  const both = aTServer({ spec: { normal: { ports: [] } } })

  it.each([
    {
      name: 'a block cannot be taken away',
      old: aTServer(),
      now: aTServer({ spec: { tars: undefined } }),
      answerTo: [`spec.tars: block cannot be removed; ${another} (TS-V4)`],
    },
    {
      name: 'spec.normal cannot be taken away either',
      old: aTServer({ normal: [] }),
      now: aTServer({ normal: [], spec: { normal: undefined } }),
      answerTo: [`spec.normal: block cannot be removed; ${another} (TS-V4)`],
    },
    {
      name: 'a block cannot be added',
      old: aTServer(),
      now: both,
      answerTo: [`spec.normal: block cannot be added to a tars server; ${another} (TS-V4)`],
    },
    {
      name: 'spec.tars cannot be added either',
      old: aTServer({ normal: [] }),
      now: aTServer({ normal: [], spec: { tars: { template: 'base', servants: [] } } }),
      answerTo: [`spec.tars: block cannot be added to a normal server; ${another} (TS-V4)`],
    },
  ])('$name', async ({ old, now, answerTo }) => {
    expect(await onUpdate(old, now)).toMatch(refused(...answerTo).slice(0, -1))
  })

  it('is told together with TS-V5', async () => {
    expect(await onUpdate(aTServer(), both)).toBe(
      refused(
        `spec.normal: block cannot be added to a tars server; ${another} (TS-V4)`,
        'spec.normal: only allowed when spec.subType is "normal"; give the block that spec.subType names, and not the other (TS-V5)',
      ),
    )
  })

  it('what is in a block may change', async () => {
    expect(await onUpdate(aTServer({ normal: [] }), aTServer({ normal: [aPort()] }))).toBe('allowed')
  })
})

describe('TS-V5 a server has the block of its subType, and no other', () => {
  const remedy = 'give the block that spec.subType names, and not the other (TS-V5)'
  itSaysOfNew([
    { name: 'tars with tars', server: {}, answer: 'allowed' },
    { name: 'normal with normal', server: { normal: [] }, answer: 'allowed' },
    {
      name: 'tars with both',
      server: { spec: { normal: { ports: [] } } },
      answer: refused(`spec.normal: only allowed when spec.subType is "normal"; ${remedy}`),
    },
    {
      name: 'normal with both, of which tars is not looked at',
      server: { normal: [], spec: { tars: { template: 't'.repeat(64), servants: [] } } },
      answer: refused(`spec.tars: only allowed when spec.subType is "tars"; ${remedy}`),
    },
    {
      name: 'tars with none',
      server: { spec: { tars: undefined } },
      answer: refused(`spec.tars: required when spec.subType is "tars"; ${remedy}`),
    },
    {
      name: 'tars with normal',
      server: { normal: [], spec: { subType: 'tars' } },
      answer: refused(
        `spec.tars: required when spec.subType is "tars"; ${remedy}`,
        `spec.normal: only allowed when spec.subType is "normal"; ${remedy}`,
      ),
    },
  ])

  it('an old one with both may be edited otherwise (CV-8)', async () => {
    const old = aTServer({ spec: { normal: { ports: [] } } })
    expect(await onUpdate(old, aTServer({ k8s: { hostIPC: true }, spec: { normal: { ports: [] } } }))).toBe('allowed')
  })
})

describe('TS-V6 a server is named for its app and server', () => {
  itSaysOfNew([
    {
      name: 'in small letters',
      server: { app: 'DEMO', server: 'EchoServer', name: 'demo-echoserver' },
      answer: 'allowed',
    },
    {
      name: 'by nothing else',
      server: { name: 'echo' },
      answer: refused('metadata.name: must be "demo-echo" for app "Demo" and server "Echo"; use that name (TS-V6)'),
    },
  ])
})

const named = (length: number, wishes: Server = {}): Server => ({ app: 'a', server: 's'.repeat(length - 2), ...wishes })
const NONE = { abilityAffinity: 'None' }

describe('TS-V7 a name fits into what is made of it', () => {
  const warning = 'warning: metadata.name: over 52 characters, so no pods can be created; shorten app or server (TS-W1)'
  itSaysOfNew([
    { name: '58 characters pass', server: named(58, { k8s: NONE }), answer: `allowed\n${warning}` },
    {
      name: '59 characters do not',
      server: named(59, { k8s: NONE }),
      answer: `${refused('metadata.name: must be at most 58 characters; shorten spec.app or spec.server (TS-V7)')}\n${warning}`,
    },
  ])
})

describe('TS-W1 a name that leaves no room for pods', () => {
  const k8s = { ...NONE, daemonSet: true }
  itSaysOfNew([
    { name: '52 characters leave it', server: named(52, { k8s: NONE }), answer: 'allowed' },
    {
      name: '53 characters do not',
      server: named(53, { k8s: NONE }),
      answer:
        'allowed\nwarning: metadata.name: over 52 characters, so no pods can be created; shorten app or server (TS-W1)',
    },
    { name: 'a daemonSet needs none', server: named(53, { k8s }), answer: 'allowed' },
  ])

  it('is told when a daemonSet becomes none', async () => {
    expect(await onUpdate(aTServer(named(53, { k8s })), aTServer(named(53, { k8s: NONE })))).toMatch('(TS-W1)')
  })
})

const servants = (...names: readonly string[]) => names.map((name, i) => aServant({ name, port: 10_000 + i }))
const servantsOn = (...ports: readonly number[]) => ports.map((port, i) => aServant({ name: `S${i}Obj`, port }))
const portsOn = (...ports: readonly number[]) => ports.map((port, i) => aPort({ name: `p${i}`, port }))

describe('TS-V8 names of servants and ports differ', () => {
  const words = (path: string, name: string, by: string) =>
    `${path}: "${name}" duplicates ${by} (compared without case); give each a name of its own (TS-V8)`
  itSays([
    {
      name: 'different ones pass',
      server: { servants: servants('AObj', 'BObj'), ports: [aPort()] },
      answer: 'allowed',
    },
    {
      name: 'case does not tell them apart',
      server: { servants: servants('FirstObj', 'firstObj') },
      answer: refused(words('spec.tars.servants[1].name', 'firstObj', 'servants[0]')),
    },
    {
      name: 'a port is told apart from servants',
      server: { servants: servants('AObj', 'FirstObj'), ports: [aPort({ name: 'firstobj' })] },
      answer: refused(words('spec.tars.ports[0].name', 'firstobj', 'servants[1]')),
    },
    {
      name: 'and from other ports',
      server: { ports: [aPort(), aPort({ port: 8081 })] },
      answer: refused(words('spec.tars.ports[1].name', 'http', 'ports[0]')),
    },
    {
      name: 'each is told',
      server: { servants: servants('AObj', 'aObj', 'Aobj') },
      answer: refused(
        words('spec.tars.servants[1].name', 'aObj', 'servants[0]'),
        words('spec.tars.servants[2].name', 'Aobj', 'servants[0]'),
      ),
    },
  ])

  it('an old pair excuses no other (CV-8)', async () => {
    const old = aTServer({ servants: servants('AObj', 'aObj') })
    expect(await onUpdate(old, aTServer({ servants: servants('BObj', 'AObj', 'aObj') }))).toBe('allowed')
    expect(await onUpdate(old, aTServer({ servants: servants('AObj', 'aObj', 'aObj') }))).toMatch('servants[2]')
  })
})

describe('TS-V9 ports of servants and ports differ', () => {
  const words = (path: string, port: number, by: string) =>
    `${path}: ${port} already used by ${by}; give each a port of its own (TS-V9)`
  itSays([
    { name: 'different ones pass', server: { servants: servantsOn(1, 2), ports: portsOn(3) }, answer: 'allowed' },
    {
      name: 'two servants',
      server: { servants: servantsOn(10_000, 10_000) },
      answer: refused(words('spec.tars.servants[1].port', 10_000, 'servants[0]')),
    },
    {
      name: 'a servant and a port',
      server: { servants: servantsOn(1, 8080), ports: [aPort()] },
      answer: refused(words('spec.tars.ports[0].port', 8080, 'servants[1]')),
    },
    {
      name: 'two ports',
      server: { ports: portsOn(3000, 3000) },
      answer: refused(words('spec.tars.ports[1].port', 3000, 'ports[0]')),
    },
    {
      name: 'TCP and UDP count together',
      server: { servants: [aServant({ name: 'AObj', port: 3000 }), aServant({ port: 3000, isTcp: false })] },
      answer: refused(words('spec.tars.servants[1].port', 3000, 'servants[0]')),
    },
  ])
})

describe('TS-V10 the name of the node agent is reserved', () => {
  const words = (path: string, name: string) =>
    `${path}: "${name}" is reserved for the node agent; take another name (TS-V10)`
  itSays([
    {
      name: 'a servant',
      server: { servants: servants('NodeObj') },
      answer: refused(words('spec.tars.servants[0].name', 'NodeObj')),
    },
    {
      name: 'a port, whatever its case',
      server: { ports: [aPort({ name: 'nodeobj' })] },
      answer: refused(words('spec.tars.ports[0].name', 'nodeobj')),
    },
    { name: 'a server that is none of tars', server: { normal: [aPort({ name: 'nodeobj' })] }, answer: 'allowed' },
    { name: 'other names', server: { servants: servants('NodeObject') }, answer: 'allowed' },
  ])

  it('an old name stays, however it is written and wherever it stands', async () => {
    const old = aTServer({ servants: servants('nodeobj') })
    expect(await onUpdate(old, aTServer({ servants: servants('NodeObj', 'AObj') }))).toBe('allowed')
    expect(await onUpdate(old, aTServer({ servants: [], ports: [aPort({ name: 'nodeobj' })] }))).toBe('allowed')
    expect(await onUpdate(aTServer(), aTServer({ servants: servants('NodeObj') }))).toMatch('(TS-V10)')
  })
})

describe('TS-V11 a servant keeps off the reserved port', () => {
  const words = (path: string) => `${path}: 19385 is reserved for tarsnode; take another port (TS-V11)`
  itSays([
    {
      name: 'a servant',
      server: { servants: servantsOn(8080, 19385) },
      answer: refused(words('spec.tars.servants[1].port')),
    },
    { name: 'a port', server: { ports: portsOn(19385) }, answer: refused(words('spec.tars.ports[0].port')) },
    { name: 'a server that is none of tars', server: { normal: portsOn(19385) }, answer: 'allowed' },
    { name: 'other ports', server: { servants: servantsOn(19_384) }, answer: 'allowed' },
  ])
})

describe('TS-W3 a port that the node agent uses on loopback', () => {
  const words = (path: string) =>
    `allowed\nwarning: ${path}: tarsnode listens on 19386 of loopback; better take another port (TS-W3)`
  itSays([
    { name: 'a servant', server: { servants: servantsOn(19_386) }, answer: words('spec.tars.servants[0].port') },
    { name: 'a port', server: { ports: portsOn(19_386) }, answer: words('spec.tars.ports[0].port') },
    { name: 'a server that is none of tars', server: { normal: portsOn(19_386) }, answer: 'allowed' },
    { name: 'other ports', server: { servants: servantsOn(19_387) }, answer: 'allowed' },
  ])
})

describe('TS-V12 names of ports differ', () => {
  itSays([
    { name: 'different ones pass', server: { normal: portsOn(1, 2) }, answer: 'allowed' },
    {
      name: 'the same name twice',
      server: { normal: [aPort(), aPort({ port: 8081 })] },
      answer: refused(
        'spec.normal.ports[1].name: "http" duplicates ports[0] (compared without case); give each a name of its own (TS-V12)',
      ),
    },
  ])
})

describe('TS-V13 ports differ', () => {
  itSays([
    { name: 'different ones pass', server: { normal: portsOn(1, 2) }, answer: 'allowed' },
    {
      name: 'the same port twice',
      server: { normal: portsOn(8080, 8080) },
      answer: refused('spec.normal.ports[1].port: 8080 already used by ports[0]; give each a port of its own (TS-V13)'),
    },
    {
      name: 'the same port as TCP and UDP, which DNS needs',
      server: { normal: [aPort({ port: 53 }), aPort({ name: 'dns', port: 53, isTcp: false })] },
      answer: 'allowed',
    },
  ])
})

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

describe('TS-V15 the template of a server exists', () => {
  const absent = refused(
    'spec.tars.template: TTemplate demo/base does not exist; create it first, or name another (TS-V15)',
  )
  it.each([
    { name: 'one that is there passes', server: {}, there: [base], answer: 'allowed' },
    { name: 'one that is not there is refused', server: {}, there: [], answer: absent },
    {
      name: 'one in another namespace does not count',
      server: {},
      there: [aTTemplate({ namespace: 'prod' })],
      answer: absent,
    },
    {
      name: 'one being deleted does not exist any more',
      server: {},
      there: [aTTemplate({ going: true })],
      answer: absent,
    },
    { name: 'a server that is none of tars needs none', server: { normal: [] }, there: [], answer: 'allowed' },
    {
      name: 'one that has no block for it is TS-V5’s business',
      server: { spec: { tars: undefined } },
      there: [],
      answer: refused(
        'spec.tars: required when spec.subType is "tars"; give the block that spec.subType names, and not the other (TS-V5)',
      ),
    },
  ])('$name', async ({ server, there, answer }) => {
    expect(await answerTo(creationOf(aTServer(server)), readersOf(...there))).toBe(answer)
  })

  it('is asked when it changes, and not when it has gone since (CV-8)', async () => {
    const none = readersOf()
    expect(await answerTo(updateOf(aTServer(), aTServer({ template: 'other' })), none)).toMatch('TTemplate demo/other')
    expect(await answerTo(updateOf(aTServer(), aTServer({ k8s: { hostIPC: true } })), none)).toBe('allowed')
  })

  it('a cached one allows, and one that the cache has not seen yet is looked up live (SV-7)', async () => {
    const live = readerOf(base)
    expect(await answerTo(creationOf(aTServer()), { cached: readerOf(base), live: UNREACHABLE })).toBe('allowed')
    expect(await answerTo(creationOf(aTServer()), { cached: readerOf(), live })).toBe('allowed')
    expect(live.reads).toEqual(['get TTemplate demo/base'])
  })

  it('what cannot be looked up is put off (SV-6)', async () => {
    const { response } = await answered(VALIDATING, creationOf(aTServer()), {
      readers: { cached: readerOf(), live: UNREACHABLE },
    })
    expect(response.status).toMatchObject({ code: 503, reason: 'ServiceUnavailable' })
  })

  it('a dry run adds why a template of the same file is not there', async () => {
    const hint = '; in a dry run, as of kubectl diff, what the same file creates is not there'
    expect(await answerTo(creationOf(aTServer(), { dryRun: true }), readersOf())).toBe(
      absent.replace(' (TS-V15)', `${hint} (TS-V15)`),
    )
  })
})

const hostPorts = (...refs: readonly (readonly [string, number])[]) => ({
  hostPorts: refs.map(([nameRef, port]) => ({ nameRef, port })),
})

describe('TS-V16 a port of the node leads somewhere', () => {
  const nowhere = (at: number, ref: string) =>
    `spec.k8s.hostPorts[${at}].nameRef: no servant or port named "${ref}"; name one of spec.tars.servants, spec.tars.ports or spec.normal.ports (TS-V16)`
  itSays([
    {
      name: 'to a servant or a port, whatever the case',
      server: { servants: servants('FirstObj'), ports: [aPort()], k8s: hostPorts(['FIRSTOBJ', 1], ['Http', 2]) },
      answer: 'allowed',
    },
    {
      name: 'to a port of any other server',
      server: { normal: [aPort()], k8s: hostPorts(['http', 1]) },
      answer: 'allowed',
    },
    {
      name: 'nowhere',
      server: { k8s: hostPorts(['EchoObj', 1], ['X', 2], ['Y', 3]) },
      answer: refused(nowhere(1, 'X'), nowhere(2, 'Y')),
    },
  ])

  it('is told when the servant goes', async () => {
    const k8s = hostPorts(['EchoObj', 1])
    expect(await onUpdate(aTServer({ k8s }), aTServer({ servants: [], k8s }))).toBe(refused(nowhere(0, 'EchoObj')))
  })
})

describe('TS-V17 ports of the node differ', () => {
  const dns = [aPort({ name: 'dns-tcp', port: 53 }), aPort({ name: 'dns', port: 53, isTcp: false })]
  const used = refused(
    'spec.k8s.hostPorts[1].port: 9990 already used by hostPorts[0]; give each a port of its own (TS-V17)',
  )
  const two = { servants: servants('AObj', 'BObj') }
  itSays([
    { name: 'different ones pass', server: { ...two, k8s: hostPorts(['AObj', 1], ['BObj', 2]) }, answer: 'allowed' },
    { name: 'the same one twice', server: { ...two, k8s: hostPorts(['AObj', 9990], ['BObj', 9990]) }, answer: used },
    {
      name: 'the same one as TCP and UDP',
      server: { normal: dns, k8s: hostPorts(['dns-tcp', 53], ['DNS', 53]) },
      answer: 'allowed',
    },
    {
      name: 'what leads nowhere counts as TCP',
      server: { k8s: hostPorts(['EchoObj', 9990], ['X', 9990]) },
      answer: refused(
        'spec.k8s.hostPorts[1].nameRef: no servant or port named "X"; name one of spec.tars.servants, spec.tars.ports or spec.normal.ports (TS-V16)',
        used.replace('422 Invalid: ', ''),
      ),
    },
  ])
})

describe('TS-V18 one port of the node for each name', () => {
  itSays([
    {
      name: 'the same name twice, whatever the case',
      server: { k8s: hostPorts(['EchoObj', 1], ['echoobj', 2]) },
      answer: refused(
        'spec.k8s.hostPorts[1].nameRef: "echoobj" duplicates hostPorts[0] (compared without case); keep one of them (TS-V18)',
      ),
    },
    {
      name: 'different ones pass',
      server: { servants: servants('AObj', 'BObj'), k8s: hostPorts(['AObj', 1], ['BObj', 2]) },
      answer: 'allowed',
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

describe('TS-V20 bounds of replicas are legal, also behind a mutator that was bypassed', () => {
  const MIN = 'metadata.annotations[tars.io/MinReplicas]'
  const remedy = 'correct or remove the annotation (TS-V20)'
  const bounds = (min: string, max: string): Server => ({
    annotations: { 'tars.io/MinReplicas': min, 'tars.io/MaxReplicas': max },
  })
  itSays([
    { name: 'legal ones pass', server: bounds('0', '99'), answer: 'allowed' },
    {
      name: 'one that is no number',
      server: bounds('007', '9'),
      answer: refused(`${MIN}: must be an integer 0..99, not "007"; ${remedy}`),
    },
    {
      name: 'two that contradict each other',
      server: bounds('5', '4'),
      answer: refused(`${MIN}: must not be greater than tars.io/MaxReplicas, but 5 > 4; ${remedy}`),
    },
  ])

  it('others that contradict each other are refused, though the old ones did too', async () => {
    expect(await onUpdate(aTServer(bounds('5', '4')), aTServer(bounds('5', '3')))).toMatch('but 5 > 3;')
  })
})

describe('TS-V21 a release of a tars server has a node image', () => {
  const { nodeImage: _, ...release } = aRelease()
  const answer = refused(
    'spec.release.nodeImage: not set and TFrameworkConfig demo/tars-framework has no nodeImage.image; set it, or create that TFrameworkConfig first (TS-V21)',
  )
  itSays([
    { name: 'its own', server: { release: aRelease() }, answer: 'allowed' },
    { name: 'none', server: { release }, answer },
    { name: 'no release needs one', server: {}, answer: 'allowed' },
    { name: 'nor any other server', server: { normal: [], release }, answer: 'allowed' },
  ])

  it('or that of the framework', async () => {
    const answerTo = (config: Built) =>
      answered(VALIDATING, creationOf(aTServer({ release })), { readers: readersOf(base, config) })
    expect(wordsOf(await answerTo(aTFrameworkConfig()))).toBe('allowed')
    expect(wordsOf(await answerTo(aTFrameworkConfig({ nodeImage: {} })))).toBe(answer)
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

describe('TS-V24 the template fits into the label', () => {
  const answered = (length: number) => {
    const template = 't'.repeat(length)
    const server = aTServer({ template, labels: {} })
    return answerTo(creationOf(server), readersOf(aTTemplate({ name: template })))
  }

  it('63 characters pass', async () => {
    expect(await answered(63)).toBe('allowed')
  })

  it('64 characters are refused', async () => {
    expect(await answered(64)).toBe(
      refused(
        'spec.tars.template: must be at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24)',
      ),
    )
  })

  it('nor can an old server take one', async () => {
    expect(await onUpdate(aTServer(), aTServer({ template: 't'.repeat(64) }))).toMatch('(TS-V24)')
  })

  it('an old one may be edited otherwise (CV-8)', async () => {
    const server = (k8s: object) => aTServer({ template: 't'.repeat(64), labels: {}, k8s: { ...k8s } })
    expect(await onUpdate(server({}), server({ hostIPC: true }))).toBe('allowed')
  })
})

describe('TS-V25 keys of labels that pods look for are legal', () => {
  const remedy = 'use shorter names, or None where it is the affinity that needs the key (TS-V25)'
  const long = (path: string, key: string) =>
    `${path}: label key "${key}" is longer than 63 characters behind the /; ${remedy}`
  const AT = 'spec.k8s.abilityAffinity'
  /** `ability.demo.` takes 13 characters. */
  const app = 'A'.repeat(50)
  const server = ({ affinity, ...wishes }: Server & { affinity?: string }) =>
    aTServer({ ...wishes, k8s: { ...wishes.k8s, ...(affinity && { abilityAffinity: affinity }) } })
  const key = (name: string) => `tars.io/ability.demo.${name}`

  it.each([
    { affinity: 'AppRequired', app, answer: 'allowed' },
    { affinity: 'AppRequired', app: `${app}A`, answer: long(AT, key(`${app}A`)) },
    { affinity: 'ServerRequired', app: 'A'.repeat(47), answer: 'allowed' },
    { affinity: 'ServerRequired', app: 'A'.repeat(48), answer: long(AT, key(`${'A'.repeat(48)}-Ec`)) },
    { affinity: 'AppOrServerPreferred', app: 'A'.repeat(48), answer: long(AT, key(`${'A'.repeat(48)}-Ec`)) },
    { affinity: undefined, app: 'A'.repeat(48), answer: long(AT, key(`${'A'.repeat(48)}-Ec`)) },
    { affinity: 'None', app: 'A'.repeat(48), answer: 'allowed' },
  ])('$affinity of $app', async ({ affinity, app, answer }) => {
    const object = server({ app, server: 'Ec', ...(affinity && { affinity }) })
    const [words] = (await onCreate(object)).split('\n') // TS-W1 warns of some
    expect(words).toBe(answer === 'allowed' ? answer : refused(answer))
  })

  it('a daemonSet needs that of the node alone', async () => {
    expect(await onCreate(server({ app: `${app}A`, server: 'Ec', k8s: { daemonSet: true } }))).toBe('allowed')
  })

  it.each([58, 59])('a namespace of %s characters', async (length) => {
    const namespace = 'n'.repeat(length)
    const { request } = creationOf(aTServer({ namespace, normal: [], k8s: NONE }))
    const answer = await answerTo({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: { ...Object(request), namespace },
    })
    expect(answer).toBe(length === 58 ? 'allowed' : refused(long('metadata.namespace', `tars.io/node.${namespace}`)))
  })

  it('an old one may be edited otherwise, and not be given another that is too long (CV-8)', async () => {
    const old = server({ app: `${app}A`, server: 'Ec', affinity: 'AppRequired' })
    expect(
      await onUpdate(old, server({ app: `${app}A`, server: 'Ec', affinity: 'AppRequired', k8s: { hostIPC: true } })),
    ).toBe('allowed')
    expect(await onUpdate(old, server({ app: `${app}A`, server: 'Ec', affinity: 'ServerRequired' }))).toMatch(
      '(TS-V25)',
    )
  })
})

describe('TS-V26 names of ports are such as a container can carry', () => {
  const words = (path: string, name: string) =>
    `${path}: "${name}" must contain a letter, and no "--"; take a name such as http or http-2, which a container can carry (TS-V26)`
  itSays([
    { name: 'letters and a dash', server: { ports: [aPort({ name: 'http-2' })] }, answer: 'allowed' },
    {
      name: 'digits alone',
      server: { normal: [aPort({ name: '80' })] },
      answer: refused(words('spec.normal.ports[0].name', '80')),
    },
    {
      name: 'two dashes',
      server: { ports: [aPort({ name: 'a--b' })] },
      answer: refused(words('spec.tars.ports[0].name', 'a--b')),
    },
    {
      name: 'servants are named otherwise',
      server: { servants: servants('AVeryLongServantObj', 'OBJ') },
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

describe('MP-20f a daemonSet ignores spec.k8s.nodeSelector', () => {
  const selected = (daemonSet: boolean, ...keys: readonly string[]) => ({
    k8s: { daemonSet, nodeSelector: keys.map((key) => ({ key, operator: 'Exists' })) },
  })
  const answer =
    'allowed\nwarning: spec.k8s.nodeSelector: has no effect when spec.k8s.daemonSet is true; remove it (MP-20f)'
  itSays([
    { name: 'with a selector', server: selected(true, 'zone'), answer },
    { name: 'without one', server: selected(true), answer: 'allowed' },
    { name: 'replicas follow it', server: selected(false, 'zone'), answer: 'allowed' },
  ])

  it('is told again of another selector', async () => {
    expect(await onUpdate(aTServer(selected(true, 'zone')), aTServer(selected(true, 'zone', 'disk')))).toBe(answer)
  })

  it('the profile upstream applies it, and says nothing', async () => {
    expect(await answerTo(creationOf(aTServer(selected(true, 'zone'))), there, 'upstream')).toBe('allowed')
  })
})

describe('TS-V1…26 together', () => {
  it('all that is wrong is told at once (W-13), each cause with its path (SV-9)', async () => {
    const object = aTServer({ name: 'echo', template: 'gone', servants: servants('NodeObj') })
    const { response } = await answered(VALIDATING, creationOf(object), { readers: readersOf() })
    expect(response.status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: {
        group: 'k8s.tars.io',
        kind: 'TServer',
        name: 'echo',
        causes: ['metadata.name', 'spec.tars.servants[0].name', 'spec.tars.template'].map((field) => ({
          reason: 'FieldValueInvalid',
          field,
        })),
      },
    })
  })

  it('of a server being deleted nothing is asked when its finalizers go, and everything otherwise (W-7)', async () => {
    const old = aTServer({ going: true, finalizers: ['x'] })
    expect(await answerTo(updateOf(old, aTServer({ going: true })), readersOf())).toBe('allowed')
    expect(await answerTo(updateOf(old, aTServer({ going: true, app: 'Other' })), readersOf())).toMatch('(TS-V1)')
  })

  it('a delete meets no door', async () => {
    expect(await answerTo(deletionOf(aTServer()))).toBe(
      'allowed\nwarning: no handler for DELETE of tservers v1beta2 on /validating',
    )
  })

  it.each([
    ['a servant without a name', aTServer({ servants: [{ port: 1 }] }), 'spec.tars.servants[0].name'],
    ['a port in words', aTServer({ servants: [aServant({ port: 'http' })] }), 'spec.tars.servants[0].port'],
  ])('%s is the schema’s business: allowed with a warning (CV-8)', async (_, object, path) => {
    expect(await onCreate(object)).toMatch(`allowed\nwarning: ${path}: of another shape`)
  })

  const EXCESSES = [
    ['an image with a space', { release: aRelease({ image: 'a b' }) }],
    ['65 servants', { servants: servantsOn(...Array(65).keys()) }],
    [
      '65 mounts',
      { k8s: { mounts: Array.from({ length: 65 }, (_, at) => aMount({ name: `m${at}`, mountPath: `/${at}` })) } },
    ],
    ['two sources in one mount', { k8s: { mounts: [aMount({ source: { emptyDir: {}, tLocalVolume: {} } })] } }],
    ['an amount that is none', { k8s: { resources: { limits: { cpu: 'one' } } } }],
  ] as const
  it.each(EXCESSES)('%s is the schema’s business (CV-8)', async (_, wishes) => {
    expect(await onCreate(aTServer(wishes))).toBe('allowed')
  })
  it.each(EXCESSES)('%s does not switch the rules off (CV-8)', async (_, wishes) => {
    expect(await onCreate(aTServer({ ...wishes, name: 'echo', template: 'gone' }))).toMatch(
      /^422 Invalid: metadata.name: .* \(TS-V6\); spec.tars.template: .* \(TS-V15\)$/,
    )
  })

  it.each([1, '500m', '1.5Gi', '1e3', '.5'])('a processor time of %s passes', async (cpu) => {
    expect(await onCreate(aTServer({ k8s: { resources: { limits: { cpu } } } }))).toBe('allowed')
  })

  it.each(Object.keys(SOURCES))('a mount from %s passes', async (of) => {
    const [source] = Object.entries(SOURCES).filter(([name]) => name === of)
    expect(
      await onCreate(aTServer({ k8s: { mounts: [aMount({ source: Object.fromEntries(source ? [source] : []) })] } })),
    ).toBe('allowed')
  })
})
