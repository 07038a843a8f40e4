import { describe, expect, it } from 'vitest'
import { CTRL } from '../../../support/answerer-parts.ts'
import { aPort, aServant, aTServer } from '../../../support/builders/servers.ts'
import { answerTo, itSaysOfNew, NONE, onUpdate, refused, type Server, updateOf } from './validating.ts'

const another = 'create another TServer instead'

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
