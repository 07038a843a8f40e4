import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../../../src/sync/stores/redis/nodes.ts'

const plain = { database: 0, secure: false, username: '', password: '' }

describe('SY-REDIS-1 nodes', () => {
  it.each([
    { nodes: [], node: { ...plain, at: { host: '127.0.0.1', port: 6379 } } },
    { nodes: ['a:1'], node: { ...plain, at: { host: 'a', port: 1 } } },
    { nodes: ['a'], node: { ...plain, at: { host: 'a', port: 6379 } } },
    { nodes: ['a:1/12'], node: { ...plain, at: { host: 'a', port: 1 }, database: 12 } },
    { nodes: ['[::1]:1'], node: { ...plain, at: { host: '::1', port: 1 } } },
    { nodes: ['/run/redis.sock'], node: { ...plain, at: { path: '/run/redis.sock' } } },
    {
      nodes: ['rediss://user:p%40ss@a:1/2'],
      node: { name: 'a:1', at: { host: 'a', port: 1 }, database: 2, secure: true, username: 'user', password: 'p@ss' },
    },
  ])('$nodes', ({ nodes, node }) => {
    expect(nodesOf(nodes)).toMatchObject([node])
  })

  it.each([
    { node: 'a:1/x', why: '"a:1/x" is no redis' },
    { node: 'http://a:1', why: 'is no redis' },
    { node: '', why: 'is no redis' },
    { node: 'redis://user:secret@a:1/x', why: '"…@a:1/x" is no redis' },
  ])('$node is refused, without a password in the message', ({ node, why }) => {
    expect(() => nodesOf([node])).toThrow(why)
  })
})
