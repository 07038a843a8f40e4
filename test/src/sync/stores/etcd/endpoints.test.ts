import { describe, expect, it } from 'vitest'
import { endpointsOf } from '../../../../../src/sync/stores/etcd/endpoints.ts'
import { storeOptions } from '../../../../support/builders/store-options.ts'

const WITH_CA = { clientCaKeys: '/ca' }

describe('SY-ETCD-1 endpoints', () => {
  it.each([
    { nodes: [], all: [['127.0.0.1', 2379]], secure: false },
    {
      nodes: ['a:1', 'http://b:2/', 'c'],
      all: [
        ['a', 1],
        ['b', 2],
        ['c', 2379],
      ],
      secure: false,
    },
    {
      nodes: ['https://a:1', 'b:2'],
      all: [
        ['a', 1],
        ['b', 2],
      ],
      secure: true,
    },
    { nodes: ['[::1]:1'], all: [['::1', 1]], secure: false },
    { nodes: ['a:1'], given: WITH_CA, all: [['a', 1]], secure: true },
    { nodes: ['a:1'], given: { clientCert: '/c', clientKey: '/k' }, all: [['a', 1]], secure: true },
    { nodes: ['a:1'], given: { clientCert: '/c' }, all: [['a', 1]], secure: false },
    { nodes: ['http://a:1'], given: WITH_CA, all: [['a', 1]], secure: false },
  ])('$nodes with $given', ({ nodes, given = {}, all, secure }) => {
    const endpoints = endpointsOf(storeOptions({ nodes, ...given }))
    expect(endpoints.all.map(({ host, port }) => [host, port])).toEqual(all)
    expect(endpoints.secure).toBe(secure)
  })

  it.each([
    { nodes: ['http://a:1', 'https://b:1'], why: 'some are http and some https' },
    { nodes: ['ftp://a:1'], why: '"ftp://a:1" is no endpoint of etcd' },
    { nodes: ['a:99999'], why: 'is no endpoint' },
    { nodes: ['http://a/path'], why: 'is no endpoint' },
    { nodes: [''], why: 'is no endpoint' },
    { nodes: ['http://user:secret@a:1'], why: '"…@a:1" is no endpoint' },
  ])('$nodes are refused', ({ nodes, why }) => {
    expect(() => endpointsOf(storeOptions({ nodes }))).toThrow(why)
  })
})
