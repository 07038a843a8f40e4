import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { configHash, merge } from '../../../../webhooks/cloudflare/aggregation/merge.ts'
import { aSource, foundIn, matchesIn, merged, readSources } from '../../../support/builders/tunnel-sources.ts'

const settings = (values: Tree, rest: Tree = {}) => ({ settings: values, ...rest })

describe('CF-AGG-08 settings', () => {
  const on = settings({ warpRouting: true, fallbackTarget: 'http://late' })
  it.each([
    { name: 'none are defined', sources: {}, warp: false, fallback: 'http_status:404' },
    {
      name: 'an explicit false counts',
      sources: { 'ClusterTunnel/a': settings({ warpRouting: false }), 'Ingress/a/b': on },
      warp: false,
      fallback: 'http://late',
    },
    {
      name: 'the lower number counts, whatever the key',
      sources: { 'Ingress/a/a': settings({ warpRouting: false }), 'Ingress/a/b': { ...on, priority: 3 } },
      warp: true,
      fallback: 'http://late',
    },
    {
      name: 'the older one counts',
      sources: {
        'Tunnel/a/a': settings({ warpRouting: false }, { createdAt: '2026-02-01T00:00:00Z' }),
        'Tunnel/a/b': { ...on, createdAt: '2026-01-01T00:00:00Z' },
      },
      warp: true,
      fallback: 'http://late',
    },
    {
      name: 'fallback is another word',
      sources: { 'Tunnel/a/a': settings({ fallback: 'http://b' }) },
      fallback: 'http://b',
    },
    {
      name: 'a fallback that Cloudflare would refuse is left out',
      sources: { 'Tunnel/a/a': settings({ fallbackTarget: 'http://b/c' }), 'Tunnel/a/b': on },
      warp: true,
      fallback: 'http://late',
    },
  ])('$name', ({ sources, warp = false, fallback }) => {
    const { config } = merged(sources)
    expect([config['warp-routing'], config.ingress]).toEqual([{ enabled: warp }, [{ service: fallback }]])
  })

  it('originRequest is taken whole from one source', () => {
    const sources = {
      'ClusterTunnel/a': settings({ originRequest: { noTLSVerify: true } }),
      'Tunnel/a/b': settings({ originRequest: { http2Origin: true } }),
    }
    expect(merged(sources).config.originRequest).toEqual({ noTLSVerify: true })
  })
})

describe('CF-AGG-09 the order of rules', () => {
  const at = (priority: number, hostname: string, path?: string) => ({ priority, hostname, path, service: 'http://a' })
  it('CF-TST-02 is that of the worked example, in whatever order they are declared', () => {
    const inOrder = [
      at(50, 'z.example.com'),
      at(100, 'app.example.com', '^/api$'),
      at(100, 'app.example.com', '^/api(/.*)?$'),
      at(100, 'app.example.com'),
      at(100, 'b.example.com'),
      at(100, '*.dev.example.com'),
      at(50, '*.example.com'),
      at(100, '', '^/health$'),
    ]
    const rules = [3, 7, 6, 0, 5, 2, 4, 1].map((index) => inOrder[index])
    const { config } = merged({ 'Ingress/a/a': { rules } })
    expect(config.ingress).toEqual([
      ...inOrder.map(({ hostname, path, service }) => ({
        ...(hostname !== '' && { hostname }),
        ...(path !== undefined && { path }),
        service,
      })),
      { service: 'http_status:404' },
    ])
  })
  it('hostnames are compared as Cloudflare has them', () => {
    const one = merged({ 'Ingress/a/a': aSource('B.example.com.'), 'Ingress/a/b': aSource('bücher.example.com') })
    expect(matchesIn(one)).toEqual(['b.example.com', 'xn--bcher-kva.example.com'])
  })
  it('paths of one length go by their bytes, then by age', () => {
    const sources = {
      'Ingress/a/a': { rules: ['/b', '/a', '/\u{1f600}', '/\uffee1'].map((path) => at(100, 'a', path)) },
    }
    expect(matchesIn(merged(sources))).toEqual(['a /\uffee1', 'a /\u{1f600}', 'a /a', 'a /b'].sort(byBytes))
  })
  const byBytes = (one: string, other: string) =>
    Buffer.byteLength(other) - Buffer.byteLength(one) || Buffer.compare(Buffer.from(one), Buffer.from(other))
})

describe('CF-AGG-10 rules of one host and path', () => {
  it('the first in the order is kept, and the others are told of', () => {
    const sources = {
      'Ingress/a/a': aSource('a.b'),
      'TunnelBinding/a/b': aSource({ hostname: 'A.B', service: 'http://c' }),
    }
    const result = merged(sources)
    expect(result.config.ingress[0]).toEqual({ hostname: 'a.b', service: 'http://c' })
    expect(result.findings).toEqual([
      expect.objectContaining({
        reason: 'DuplicateRule',
        message: 'a.b is left out: TunnelBinding/a/b has it with priority 50',
      }),
    ])
  })
  it('of two sources alike the older one is kept', () => {
    const young = { createdAt: '2026-02-01T00:00:00Z' }
    const result = merged({
      'Ingress/a/a': aSource('a.b', young),
      'Ingress/a/b': aSource({ hostname: 'a.b', service: 'http://b' }),
    })
    expect(result.config.ingress[0]).toMatchObject({ service: 'http://b' })
    expect(foundIn(result)).toEqual(['DuplicateRule Ingress/a/a'])
  })
  it.each([
    { first: '', second: '/a', isHidden: true },
    { first: '/a', second: '/ab', isHidden: true },
    { first: '/b', second: '/a', isHidden: false },
  ])('"$second" after "$first" is sent, shadowed: $isHidden', ({ first, second, isHidden }) => {
    const result = merged({
      'TunnelBinding/a/a': aSource({ hostname: 'a.b', path: first }),
      'Ingress/a/b': aSource({ hostname: 'a.b', path: second }),
      'Ingress/a/c': aSource({ hostname: 'c.b', path: second }),
    })
    expect(result.rules).toHaveLength(3)
    expect(foundIn(result)).toEqual(isHidden ? ['RuleShadowed Ingress/a/b'] : [])
  })
})

describe('CF-ONE-05 a hostname belongs to the namespace that had it first', () => {
  const sources = {
    'Ingress/a/a': aSource('a.b', { createdAt: '2026-01-01T00:00:00Z' }),
    'TunnelBinding/b/a': aSource({ hostname: 'a.b', path: '/b' }, { createdAt: '2026-02-01T00:00:00Z' }),
    'TunnelBinding/b/b': aSource('*.b', { createdAt: '2026-02-01T00:00:00Z' }),
    'Ingress/c/a': aSource('*.b', { createdAt: '2026-03-01T00:00:00Z', priority: 1 }),
    'External/t': aSource({ hostname: 'a.b', path: '/c' }),
  }
  it.each([
    { crossNamespace: 'deny', hosts: ['a.b', 'a.b /c', '*.b'], found: 'is left out: Ingress/a/a of another namespace' },
    { crossNamespace: 'warn', hosts: ['a.b /b', 'a.b', 'a.b /c', '*.b'], found: 'is shared: Ingress/a/a of another' },
    { crossNamespace: 'allow', hosts: ['a.b /b', 'a.b', 'a.b /c', '*.b'], found: undefined },
  ] as const)('$crossNamespace', ({ crossNamespace, hosts, found }) => {
    const result = merged(sources, { crossNamespace })
    expect(matchesIn(result)).toEqual(hosts)
    const said = result.findings.find(({ source }) => source.key === 'TunnelBinding/b/a')?.message
    expect(said ?? '').toContain(found ?? '')
    expect(said === undefined).toBe(found === undefined)
  })
})

describe('CF-AGG-11 the configuration', () => {
  it('CF-TST-02 without sources it has the rule that matches everything', () => {
    expect(merged({}).config).toEqual({ ingress: [{ service: 'http_status:404' }], 'warp-routing': { enabled: false } })
  })
  it('the access of a tunnel stands at each rule without its own, and not above', () => {
    const access = { required: true, teamName: 'a', audTag: ['b'] }
    const own = { required: false, teamName: 'c', audTag: [] }
    const { config } = merged({
      'Tunnel/a/a': settings({ originRequest: { access, http2Origin: true } }),
      'Ingress/a/b': { rules: [{ hostname: 'a.b', service: 'http://a', originRequest: { access: own } }] },
      'Ingress/a/c': aSource('c.d'),
    })
    expect(config.originRequest).toEqual({ http2Origin: true })
    expect(config.ingress.map(({ originRequest }) => originRequest)).toEqual([{ access: own }, { access }, { access }])
  })
})

describe('CF-AGG-12 the hash', () => {
  const hashOf = (sources: Tree) => configHash('t', 'a', merged(sources).config)
  it('is of what is sent alone', () => {
    const hash = hashOf({ 'Ingress/a/a': aSource('a.b') })
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf({ 'Ingress/a/a': aSource('a.b', { generation: 3, updatedAt: 'now', note: 1 }) })).toBe(hash)
    expect(hashOf({ 'Ingress/a/a': aSource('a.c') })).not.toBe(hash)
    expect(configHash('u', 'a', merged({ 'Ingress/a/a': aSource('a.b') }).config)).not.toBe(hash)
  })

  const host = fc.constantFrom('a.b', 'B.b', '*.b', '*.a.b', '', 'bad host', '*')
  const rule = fc.record({
    hostname: host,
    path: fc.constantFrom('', '/a', '^/a$', '^/a(/.*)?$', '(', '/'),
    service: fc.constantFrom('http://a', 'http://b', 'http://a/c', 'http_status:503'),
    priority: fc.constantFrom(undefined, 1, 100, -1),
  })
  const source = fc.record({
    key: fc.constantFrom(
      'Ingress/a/a',
      'Ingress/b/a',
      'HTTPRoute/a/a',
      'TunnelBinding/a/a',
      'ClusterTunnel/a',
      'Tunnel/a/a',
    ),
    createdAt: fc.constantFrom('', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
    settings: fc.record({ warpRouting: fc.constantFrom(undefined, true, false) }),
    rules: fc.array(rule, { maxLength: 4 }),
  })
  const given = { maxRules: 5, crossNamespace: 'deny' } as const

  it('CF-TST-02 any order of sources gives the same bytes, and merging again what was merged changes nothing', () => {
    const sources = fc.uniqueArray(source, { maxLength: 6, selector: ({ key }) => key })
    fc.assert(
      fc.property(sources, fc.integer(), (list, seed) => {
        const read = readSources(Object.fromEntries(list.map(({ key, ...rest }) => [key, rest])))
        const shuffled = read.toSorted((one, other) => spread(one.key, seed) - spread(other.key, seed))
        const [one, other] = [merge(read, given), merge(shuffled, given)]
        expect(JSON.stringify(other.config)).toBe(JSON.stringify(one.config))
        expect(configHash('t', 'a', other.config)).toBe(configHash('t', 'a', one.config))
        expect(foundIn(other)).toEqual(foundIn(one))
        const again = merged({ 'Ingress/x/x': { rules: one.config.ingress.slice(0, -1) } })
        expect(matchesIn(again).toSorted()).toEqual(matchesIn(one).toSorted())
      }),
    )
  })
  const spread = (key: string, seed: number) => (key.charCodeAt(key.length - 3) * 31 + key.length * seed) % 101
})
