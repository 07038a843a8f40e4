import { describe, expect, it } from 'vitest'
import { aPort, aServant, aTServer } from '../../../../support/builders/servers.ts'
import { mapped, partOf } from '../../../../support/mapped.ts'

const BOTH = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
const OWNER = {
  apiVersion: 'k8s.tars.io/v1beta2',
  kind: 'TServer',
  name: 'demo-echo',
  uid: '00000000-0000-0000-0000-000000000000',
  controller: true,
  blockOwnerDeletion: true,
}
const METADATA = { name: 'demo-echo', namespace: 'demo', labels: BOTH, ownerReferences: [OWNER] }

describe('MP-1, MP-5 name, namespace, both labels and the owner', () => {
  it.each(['TEndpoint', 'TExitedRecord', 'Service', 'StatefulSet'])('%s', (kind) => {
    expect(partOf(kind, '/metadata', {})).toEqual(METADATA)
  })
  it('DaemonSet', () => expect(partOf('DaemonSet', '/metadata', { k8s: { daemonSet: true } })).toEqual(METADATA))

  it('the uid is that of the server, and zeros before it is stored', () => {
    const { metadata, ...rest } = aTServer()
    const { Service } = mapped({ ...rest, metadata: { ...metadata, uid: 'u1' } })
    expect(Service?.metadata.ownerReferences).toEqual([{ ...OWNER, uid: 'u1' }])
  })
  it('labels and annotations of the TServer stay there', () => {
    const wishes = { labels: { team: 'a' }, annotations: { note: 'b' } }
    expect(partOf('Service', '/metadata', wishes)).toEqual(METADATA)
  })
})

describe('MP-2 a headless Service of both labels', () => {
  it('without ports', () => {
    expect(partOf('Service', '/spec', { normal: [] })).toEqual({
      type: 'ClusterIP',
      clusterIP: 'None',
      sessionAffinity: 'None',
      selector: BOTH,
    })
  })
})

describe('MP-3 the ports of the Service', () => {
  const tcp = (name: string, port: number) => ({ name, port, targetPort: port, protocol: 'TCP' })
  const udp = (name: string, port: number) => ({ ...tcp(name, port), protocol: 'UDP' })
  it.each([
    {
      name: 'servants in order, then ports, in small letters',
      wishes: {
        servants: [aServant({ name: 'ZObj', port: 3 }), aServant({ name: 'AObj', port: 1, isTcp: false })],
        ports: [aPort({ name: 'web', port: 2 })],
      },
      ports: [tcp('zobj', 3), udp('aobj', 1), tcp('web', 2)],
    },
    {
      name: 'a long name stays, where a container port takes none',
      wishes: { servants: [aServant({ name: 'AVeryVeryLongServantObj' })] },
      ports: [tcp('averyverylongservantobj', 10_000)],
    },
    {
      name: 'one number as TCP and UDP',
      wishes: { normal: [aPort({ name: 'dns', port: 53 }), aPort({ name: 'dns-udp', port: 53, isTcp: false })] },
      ports: [tcp('dns', 53), udp('dns-udp', 53)],
    },
    {
      name: 'of one number and protocol the first (WK-13)',
      wishes: { normal: [aPort({ name: 'a', port: 53 }), aPort({ name: 'b', port: 53 })] },
      ports: [tcp('a', 53)],
    },
    {
      name: 'where subType and block differ, those of the block',
      wishes: { normal: [aPort({ name: 'web', port: 80 })], spec: { subType: 'tars' } },
      ports: [tcp('web', 80)],
    },
  ])('$name', ({ wishes, ports }) => expect(partOf('Service', '/spec/ports', wishes)).toEqual(ports))
})
