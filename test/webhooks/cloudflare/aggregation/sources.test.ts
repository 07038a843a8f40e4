import { describe, expect, it } from 'vitest'
import {
  documentIn,
  sourceKeysOf,
  textOf,
  withoutSource,
  withSource,
} from '../../../../webhooks/cloudflare/aggregation/document.ts'
import {
  configMapName,
  PriorityBinding,
  PriorityGateway,
  PriorityIngress,
  PriorityTunnelSettings,
  sourceKey,
  sourcesIn,
} from '../../../../webhooks/cloudflare/aggregation/sources.ts'
import { readSources } from '../../../support/builders/tunnel-sources.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const written = (content: unknown) => documentIn(JSON.stringify(content))
const documentOf = (content: unknown) => {
  const parsed = written(content)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.document
}

describe('the names of a configuration', () => {
  it('CF-AGG-01 a ConfigMap for each tunnel, and a key for each object', () => {
    expect(configMapName('0-1')).toBe('tunnel-config-0-1')
    expect(sourceKey('Ingress', 'default', 'app')).toBe('Ingress/default/app')
    expect(sourceKey('ClusterTunnel', '', 'my-tunnel')).toBe('ClusterTunnel/my-tunnel')
  })
})

describe('CF-AGG-03 config.json', () => {
  it('is empty where it is missing', () => {
    expect(documentIn(undefined)).toEqual({ document: { sources: {} } })
    expect(written({ sources: null })).toEqual({ document: { sources: {} } })
  })
  it.each([
    ['', 'no JSON'],
    ['{', 'no JSON'],
    ['{"sources":{"a":{},"a":{}}}', 'duplicate key "a"'],
    ['[]', 'no object'],
    ['{"sources":[]}', 'sources'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'nested deeper'],
  ])('%s is nonsense', (content, problem) => {
    expect(documentIn(content)).toEqual({ problem: expect.stringContaining(problem) })
  })
  it.each([
    [{ sources: { 'Ingress/a/b': 1 } }, 'source "Ingress/a/b" is no object'],
    [{ sources: { 'Ingress/a/b': { rules: {} } } }, 'rules that are no list'],
    [{ sources: { 'Ingress/a/b': { settings: [] } } }, 'settings that are no object'],
    [{ sources: [] }, 'sources is no object'],
  ])('%j is not merged', (document, problem) => {
    expect(sourcesIn(document)).toContain(problem)
  })
})

describe('CF-AGG-04 what others wrote stays', () => {
  const document = documentOf({
    note: 'ours',
    tunnelId: 't',
    lastHash: 'a',
    syncStatus: 'b',
    lastSyncTime: 'c',
    warpRouting: { enabled: true },
    sources: {
      'Ingress/a/b': { kind: 'Ingress', rules: [{ service: 'http://a' }], owner: 'team', updatedAt: 'before' },
      'Ingress/a/c': { kind: 'Ingress' },
    },
  })

  it('unknown fields of the document, and not what an earlier operator kept there', () => {
    expect(JSON.parse(textOf(document))).toEqual({ note: 'ours', sources: document.sources, tunnelId: 't' })
  })
  it('unknown fields of a source, whose rules and settings are replaced', () => {
    const next = withSource(document, 'Ingress/a/b', { kind: 'Ingress', settings: { warpRouting: true } }, AT)
    expect(next.sources).toEqual({
      'Ingress/a/b': {
        kind: 'Ingress',
        owner: 'team',
        settings: { warpRouting: true },
        updatedAt: AT.toISOString(),
      },
      'Ingress/a/c': { kind: 'Ingress' },
    })
  })
  it('nothing changes for a source that is so already, and none is removed twice', () => {
    expect(withSource(document, 'Ingress/a/b', { kind: 'Ingress', rules: [{ service: 'http://a' }] }, AT)).toBe(
      document,
    )
    expect(withoutSource(document, 'Ingress/a/d')).toBe(document)
    expect(sourceKeysOf(withoutSource(document, 'Ingress/a/b'))).toEqual(['Ingress/a/c'])
  })
  it('is written in the order of its keys, with indentation while it is small', () => {
    expect(textOf({ sources: { b: 1, a: [{ d: 1, c: 2 }] } })).toBe(
      JSON.stringify({ sources: { a: [{ c: 2, d: 1 }], b: 1 } }, undefined, 2),
    )
    const large = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Ingress/a/${at}`, 'x'.repeat(1_000)]))
    expect(textOf({ sources: large })).not.toContain('\n')
  })
})

describe('CF-AGG-07 a lower number wins', () => {
  const priorityOf = (key: string, source: object) => readSources({ [key]: { rules: [{}], ...source } })[0]

  it('each kind has its own', () => {
    expect([PriorityTunnelSettings, PriorityBinding, PriorityIngress, PriorityGateway]).toEqual([10, 50, 100, 100])
    const keys = ['ClusterTunnel/a', 'Tunnel/a/b', 'TunnelBinding/a/b', 'Ingress/a/b', 'HTTPRoute/a/b', 'External/a']
    expect(keys.map((key) => priorityOf(key, {})?.priority)).toEqual([10, 10, 50, 100, 100, 1_000])
  })
  it.each([
    { source: { priority: 7, rules: [{ priority: 3 }] }, priority: 7, rule: 3 },
    { source: { priority: 7 }, priority: 7, rule: 7 },
    { source: { rules: [{ priority: 3 }] }, priority: 100, rule: 3 },
    { source: { priority: 0, rules: [{ priority: -1 }] }, priority: 100, rule: 100 },
    { source: { priority: 1.5, rules: [{ priority: '3' }] }, priority: 100, rule: 100 },
    { source: { kind: 'TunnelBinding' }, priority: 50, rule: 50 },
  ])('$source', ({ source, priority, rule }) => {
    const read = priorityOf('Ingress/a/b', source)
    expect([read?.priority, read?.rules[0]?.priority]).toEqual([priority, rule])
  })
  it('kind, namespace and name come from the key where they are missing', () => {
    const read = readSources({ 'Ingress/a/b': {}, 'ClusterTunnel/c': {}, d: {} })
    expect(read.map(({ kind, namespace, name }) => [kind, namespace, name])).toEqual([
      ['ClusterTunnel', '', 'c'],
      ['Ingress', 'a', 'b'],
      ['d', '', ''],
    ])
  })
})
