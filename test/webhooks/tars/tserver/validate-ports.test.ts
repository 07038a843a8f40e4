import { describe, expect, it } from 'vitest'
import { aPort, aServant, aTServer } from '../../../support/builders/servers.ts'
import { itSays, onUpdate, refused, servants, servantsOn } from './validating.ts'

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
