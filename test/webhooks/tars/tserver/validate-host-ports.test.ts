import { describe, expect, it } from 'vitest'
import { aPort, aTServer } from '../../../support/builders/servers.ts'
import { itSays, onUpdate, refused, servants } from './validating.ts'

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
