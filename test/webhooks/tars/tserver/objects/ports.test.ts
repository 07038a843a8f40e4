import { describe, expect, it } from 'vitest'
import { aPort, aServant } from '../../../../support/builders/servers.ts'
import { containerOf } from '../../../../support/mapped.ts'

const tcp = (name: string | undefined, containerPort: number, hostPort?: number) => ({
  ...(name && { name }),
  containerPort,
  protocol: 'TCP',
  ...(hostPort && { hostPort }),
})
const first = aServant({ name: 'FirstObj', port: 10_001 })
const long = aServant({ name: 'AVeryVeryLongServantObj', port: 10_002 })
const web = aPort({ name: 'web', port: 8080 })

describe('the ports of the main container', () => {
  it.each([
    {
      name: 'MP-21a servants with and without host port, then ports',
      wishes: { servants: [first], ports: [web], k8s: { hostPorts: [{ nameRef: 'web', port: 30_003 }] } },
      ports: [tcp('firstobj', 10_001), tcp('web', 8080, 30_003)],
    },
    {
      name: 'MP-21a the ports of a normal server',
      wishes: { normal: [aPort({ name: 'dns', port: 53, isTcp: false })] },
      ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }],
    },
    { name: 'MP-21a none', wishes: { normal: [] }, ports: undefined },
    {
      name: 'MP-21a of one number and protocol the first (WK-13)',
      wishes: { normal: [aPort({ name: 'a', port: 53 }), aPort({ name: 'b', port: 53 })] },
      ports: [tcp('a', 53)],
    },
    {
      name: 'MP-21b 15 characters are a name, 16 are none',
      wishes: {
        servants: [aServant({ name: 'NotificationObj', port: 1 }), aServant({ name: 'NotificationsObj', port: 2 })],
      },
      ports: [tcp('notificationobj', 1), tcp('p2', 2)],
    },
    {
      name: 'MP-21b neither is one without a letter, or with --',
      wishes: { normal: [aPort({ name: '80', port: 80 }), aPort({ name: 'a--b', port: 81 })] },
      ports: [tcp('p80', 80), tcp('p81', 81)],
    },
    {
      name: 'MP-21b with a host port both numbers are the name',
      wishes: { servants: [long], k8s: { hostPorts: [{ nameRef: long.name, port: 30_002 }] } },
      ports: [tcp('p30002-10002', 10_002, 30_002)],
    },
    {
      name: 'MP-21b but with hostNetwork the one',
      wishes: { servants: [long], k8s: { hostNetwork: true, hostPorts: [{ nameRef: long.name, port: 30_002 }] } },
      ports: [tcp('p10002', 10_002)],
    },
    {
      name: 'MP-21b another entry bears the name as its own',
      wishes: { servants: [long], ports: [aPort({ name: 'p10002', port: 1 })] },
      ports: [tcp(undefined, 10_002), tcp('p10002', 1)],
    },
    {
      name: 'MP-21b an earlier entry bears it as its substitute',
      wishes: { normal: [aPort({ name: '1', port: 53 }), aPort({ name: '2', port: 53, isTcp: false })] },
      ports: [tcp('p53', 53), { containerPort: 53, protocol: 'UDP' }],
    },
    {
      name: 'MP-21b of two equal names of their own the first (TS-V8 was not asked)',
      wishes: { servants: [first, aServant({ name: 'firstOBJ', port: 2 })] },
      ports: [tcp('firstobj', 10_001), tcp(undefined, 2)],
    },
    {
      name: 'MP-21c whatever the case of nameRef, and the first of two',
      wishes: {
        servants: [first],
        k8s: {
          hostPorts: [
            { nameRef: 'FIRSTOBJ', port: 30_001 },
            { nameRef: 'firstobj', port: 30_002 },
          ],
        },
      },
      ports: [tcp('firstobj', 10_001, 30_001)],
    },
    {
      name: 'MP-21d none with hostNetwork',
      wishes: { servants: [first], k8s: { hostNetwork: true, hostPorts: [{ nameRef: 'FirstObj', port: 30_001 }] } },
      ports: [tcp('firstobj', 10_001)],
    },
  ])('$name', ({ wishes, ports }) => expect(containerOf('ports', wishes)).toEqual(ports))
})

describe('MP-21e, D-17 with profile upstream', () => {
  const upstream = { profile: 'upstream' } as const
  it('ports come first, then the servants with a host port, by their numbers', () => {
    const wishes = {
      servants: [first, long],
      ports: [web, aPort({ name: 'stat', port: 8125, isTcp: false })],
      k8s: {
        hostPorts: [
          { nameRef: 'FirstObj', port: 30_001 },
          { nameRef: 'web', port: 30_003 },
        ],
      },
    }
    expect(containerOf('ports', wishes, upstream)).toEqual([
      tcp('web', 8080, 30_003),
      { name: 'stat', containerPort: 8125, protocol: 'UDP' },
      tcp('p30001-10001', 10_001, 30_001),
    ])
  })
  it('without host ports no servant is listed', () => {
    expect(containerOf('ports', { servants: [first, long] }, upstream)).toBeUndefined()
  })
})
