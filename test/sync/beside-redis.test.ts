import { describe, expect, it } from 'vitest'
import { besideConfd } from './beside.ts'
import { startRedis } from './redis.ts'

describe('keys of redis, beside the real confd', () => {
  it.each([
    { name: 'SY-REDIS-4 a key that ends in a star', keys: '"/app/*"', separator: '/', text: '/app/a=1 ' },
    { name: 'SY-REDIS-4 a star within a key', keys: '"/*/app", "/t/*"', separator: '/', text: '/app/a=1 /t=2 ' },
    {
      name: 'SY-REDIS-3 a separator within a key',
      keys: '"/x:app", "/x:t"',
      separator: ':',
      text: '/x/app/a=3 /x:t=4 ',
    },
  ])('$name', async ({ keys, separator, text }) => {
    const redis = await startRedis()
    await redis.ask('MSET', '/app/a', '1', '/t', '2', 'x:app:a', '3', 'x:t', '4')
    const names = ['/app/a', '/t', '/x/app/a', '/x:t']
    const both = await besideConfd({
      conf: { 'a.toml': `[template]\nsrc = "a"\ndest = "OUT/a"\nkeys = [${keys}]\n` },
      templates: { a: names.map((name) => `{{if exists "${name}"}}${name}={{getv "${name}"}} {{end}}`).join('') },
      args: ['-onetime', '-backend', 'redis', '-node', redis.node, '-separator', separator],
    })
    const left = { code: 0, files: { a: `644 ${text}` } }
    expect(both).toEqual({ confd: left, ours: left })
  })
})
