import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { convertedRoute, type RouteSeen } from '../../../../webhooks/cloudflare/conversions/httproute.ts'
import { GATEWAY_CONTROLLER } from '../../../../webhooks/cloudflare/conversions/route-parents.ts'

const GROUP = 'gateway.networking.k8s.io'
const parametersRef = {
  group: 'networking.cloudflare-operator.io',
  kind: 'TunnelGatewayClassConfig',
  namespace: 'operator',
  name: 'main',
}
const CLASSES: Readonly<Record<string, Tree>> = {
  ours: { controllerName: GATEWAY_CONTROLLER, parametersRef },
  second: { controllerName: GATEWAY_CONTROLLER, parametersRef: { ...parametersRef, name: 'second' } },
  bare: { controllerName: GATEWAY_CONTROLLER },
  others: { controllerName: 'example.com/other' },
}
const CONFIGS: Readonly<Record<string, Tree>> = {
  main: { tunnelRef: { kind: 'Tunnel', name: 't' }, defaultOriginRequest: { noTlsVerify: true } },
  second: { tunnelRef: { kind: 'ClusterTunnel', name: 'u' } },
}
const ANY = { name: 'any', port: 80 }
const GATEWAYS: Readonly<Record<string, Tree>> = {
  'demo/main': { gatewayClassName: 'ours', listeners: [ANY] },
  'demo/second': { gatewayClassName: 'second', listeners: [ANY] },
  'demo/bare': { gatewayClassName: 'bare', listeners: [ANY] },
  'demo/others': { gatewayClassName: 'others', listeners: [ANY] },
  'demo/hosts': {
    gatewayClassName: 'ours',
    listeners: [
      { name: 'wide', port: 80, hostname: '*.example.com' },
      { name: 'exact', port: 443, hostname: 'a.example.org' },
    ],
  },
  'shared/all': { gatewayClassName: 'ours', listeners: [{ ...ANY, allowedRoutes: { namespaces: { from: 'All' } } }] },
  'shared/same': { gatewayClassName: 'ours', listeners: [ANY] },
  'shared/none': { gatewayClassName: 'ours', listeners: [{ ...ANY, allowedRoutes: { namespaces: { from: 'None' } } }] },
  'shared/labelled': {
    gatewayClassName: 'ours',
    listeners: [
      { ...ANY, allowedRoutes: { namespaces: { from: 'Selector', selector: { matchLabels: { team: 'a' } } } } },
    ],
  },
  'shared/expressed': { gatewayClassName: 'ours', listeners: [expressed({ operator: 'In', values: ['a', 'b'] })] },
  'shared/existing': { gatewayClassName: 'ours', listeners: [expressed({ operator: 'Exists' })] },
  'shared/excluding': { gatewayClassName: 'ours', listeners: [expressed({ operator: 'NotIn', values: ['a'] })] },
  'shared/odd': { gatewayClassName: 'ours', listeners: [expressed({})] },
  'shared/grpc': {
    gatewayClassName: 'ours',
    listeners: [{ ...ANY, allowedRoutes: { namespaces: { from: 'All' }, kinds: [{ kind: 'GRPCRoute' }] } }],
  },
}
function expressed(requirement: Tree): Tree {
  const selector = { matchExpressions: [{ key: 'team', ...requirement }] }
  return { ...ANY, allowedRoutes: { namespaces: { from: 'Selector', selector } } }
}
const SERVICES: Readonly<Record<string, readonly Tree[]>> = {
  'demo/web': [{ port: 80 }],
  'demo/shell': [{ port: 22, name: 'ssh' }],
  'other/web': [{ port: 80 }],
}
const lookUp = (table: Readonly<Record<string, Tree>>, key: string) =>
  table[key] === undefined ? undefined : { metadata: { name: key }, spec: table[key] }

const WEB = { backendRefs: [{ name: 'web', port: 80 }] }
function converted(spec: Tree, rest: Partial<RouteSeen> = {}) {
  const route = {
    metadata: { namespace: 'demo', name: 'r' },
    spec: { parentRefs: [{ name: 'main' }], rules: [WEB], ...spec },
  }
  return convertedRoute({
    route,
    gatewayOf: (namespace, name) => lookUp(GATEWAYS, `${namespace}/${name}`),
    classOf: (name) => lookUp(CLASSES, name),
    configOf: (namespace, name) => {
      const found = CONFIGS[name]
      return found && { metadata: { namespace, name }, spec: found }
    },
    serviceOf: (namespace, name) => {
      const ports = SERVICES[`${namespace}/${name}`]
      return ports && { spec: { ports } }
    },
    grants: [],
    ...rest,
  })
}
const acceptances = (spec: Tree, rest: Partial<RouteSeen> = {}) =>
  converted(spec, rest).parents.map(({ acceptance }) => acceptance)
const hostnames = ['a.b']

describe('CF-CNV-11 CF-TST-04 the parents of a route', () => {
  it.each([
    { name: 'a Gateway of ours', parent: { name: 'main' }, answer: ['Accepted'] },
    { name: 'one of another controller', parent: { name: 'others' }, answer: [] },
    { name: 'one that does not exist', parent: { name: 'gone' }, answer: [] },
    { name: 'another kind', parent: { name: 'main', kind: 'Service', group: '' }, answer: [] },
    { name: 'a class without a config', parent: { name: 'bare' }, answer: ['NoMatchingParent'] },
    { name: 'a listener by its name', parent: { name: 'main', sectionName: 'any' }, answer: ['Accepted'] },
    {
      name: 'a listener that does not exist',
      parent: { name: 'main', sectionName: 'x' },
      answer: ['NoMatchingParent'],
    },
    { name: 'a port without a listener', parent: { name: 'main', port: 1 }, answer: ['NoMatchingParent'] },
    { name: 'one for all namespaces', parent: { namespace: 'shared', name: 'all' }, answer: ['Accepted'] },
    {
      name: 'one for its own namespace',
      parent: { namespace: 'shared', name: 'same' },
      answer: ['NotAllowedByListeners'],
    },
    { name: 'one for none', parent: { namespace: 'shared', name: 'none' }, answer: ['NotAllowedByListeners'] },
    { name: 'one for labels', parent: { namespace: 'shared', name: 'labelled' }, answer: ['Accepted'] },
    {
      name: 'one for a label of several values',
      parent: { namespace: 'shared', name: 'expressed' },
      answer: ['Accepted'],
    },
    { name: 'one for a label', parent: { namespace: 'shared', name: 'existing' }, answer: ['Accepted'] },
    {
      name: 'one for another value of a label',
      parent: { namespace: 'shared', name: 'excluding' },
      answer: ['NotAllowedByListeners'],
    },
    { name: 'one for no expression', parent: { namespace: 'shared', name: 'odd' }, answer: ['NotAllowedByListeners'] },
    { name: 'one for another kind', parent: { namespace: 'shared', name: 'grpc' }, answer: ['NotAllowedByListeners'] },
  ])('$name', ({ parent, answer }) => {
    const namespaceLabels = { team: 'a' }
    expect(acceptances({ hostnames, parentRefs: [parent] }, { namespaceLabels })).toEqual(answer)
  })
  it('labels that are unknown, or other ones, allow nothing', () => {
    const parentRefs = [{ namespace: 'shared', name: 'labelled' }]
    for (const rest of [{}, { namespaceLabels: { team: 'b' } }])
      expect(acceptances({ hostnames, parentRefs }, rest)).toEqual(['NotAllowedByListeners'])
  })
  it('CF-AGG-16 the tunnel of the first one counts, and that of a later one is refused', () => {
    const { tunnel, parents, rules } = converted({ hostnames, parentRefs: [{ name: 'main' }, { name: 'second' }] })
    expect(tunnel).toEqual({ kind: 'Tunnel', namespace: 'operator', name: 't' })
    expect(parents.map(({ acceptance }) => acceptance)).toEqual(['Accepted', 'UnsupportedValue'])
    expect(rules).toHaveLength(1)
    expect(converted({ parentRefs: [{ name: 'others' }], hostnames })).toMatchObject({ rules: [], parents: [] })
  })
})

describe('CF-CNV-11 the hostnames of a route', () => {
  it.each([
    { own: ['a.b'], parent: { name: 'main' }, hosts: ['a.b'] },
    {
      own: ['x.example.com', 'a.b.example.com', 'c.d'],
      parent: { name: 'hosts' },
      hosts: ['x.example.com', 'a.b.example.com'],
    },
    { own: ['*.example.com'], parent: { name: 'hosts' }, hosts: ['*.example.com'] },
    { own: ['*.x.example.com', '*.org'], parent: { name: 'hosts' }, hosts: ['*.x.example.com', 'a.example.org'] },
    { own: [], parent: { name: 'hosts', sectionName: 'exact' }, hosts: ['a.example.org'] },
    { own: ['example.com'], parent: { name: 'hosts' }, hosts: [] },
  ])('$own at $parent', ({ own, parent, hosts }) => {
    const { rules, parents } = converted({ hostnames: own, parentRefs: [parent] })
    expect(rules.map(({ hostname }) => hostname)).toEqual(hosts)
    expect(parents.map(({ acceptance }) => acceptance)).toEqual([
      hosts.length > 0 ? 'Accepted' : 'NoMatchingListenerHostname',
    ])
  })
  it('without any the route is left out, and its author learns of it', () => {
    expect(converted({})).toMatchObject({ rules: [], notes: [{ reason: 'RuleSkipped' }] })
  })
})

describe('CF-CNV-11 the matches of a route', () => {
  const rulesOf = (rule: Tree) => converted({ hostnames, rules: [{ ...WEB, ...rule }] })
  it.each([
    { path: undefined, pattern: '' },
    { path: { type: 'PathPrefix', value: '/' }, pattern: '' },
    { path: { type: 'PathPrefix', value: '/a.b/' }, pattern: '^/a\\.b(/.*)?$' },
    { path: { type: 'Exact', value: '/a' }, pattern: '^/a$' },
    { path: { type: 'RegularExpression', value: '/a[0-9]' }, pattern: '^/a[0-9]' },
    { path: { type: 'RegularExpression', value: '^/a' }, pattern: '^/a' },
  ])('$path', ({ path, pattern }) => {
    const { rules, isPartial } = rulesOf({ matches: [{ path }] })
    expect(rules).toEqual([
      { hostname: 'a.b', path: pattern, service: 'http://web.demo.svc:80', originRequest: { noTLSVerify: true } },
    ])
    expect(isPartial).toBe(false)
  })
  it.each([
    { name: 'headers', rule: { matches: [{ headers: [{}] }, {}] }, many: 1 },
    { name: 'parameters', rule: { matches: [{ queryParams: [{}] }] }, many: 0 },
    { name: 'a method', rule: { matches: [{ method: 'GET' }] }, many: 0 },
    { name: 'filters', rule: { filters: [{}] }, many: 0 },
    { name: 'filters of a backend', rule: { backendRefs: [{ name: 'web', port: 80, filters: [{}] }] }, many: 0 },
  ])('with $name are left out, and never widened', ({ rule, many }) => {
    const { rules, isPartial, notes } = rulesOf(rule)
    expect(rules).toHaveLength(many)
    expect([isPartial, notes]).toEqual([true, [expect.objectContaining({ reason: 'RuleSkipped' })]])
  })
  it('a route without rules has none', () => {
    expect(converted({ hostnames, rules: undefined })).toMatchObject({ rules: [], isPartial: false })
  })
})

describe('CF-CNV-11 the backend of a route', () => {
  const backendOf = (backendRefs: readonly Tree[], rest: Partial<RouteSeen> = {}) =>
    converted({ hostnames, rules: [{ backendRefs }] }, rest)
  const grantFrom = (from: Tree, to: Tree = {}) => ({
    metadata: { namespace: 'other' },
    spec: {
      from: [{ group: GROUP, kind: 'HTTPRoute', namespace: 'demo', ...from }],
      to: [{ group: '', kind: 'Service', ...to }],
    },
  })
  it.each([
    { refs: [{ name: 'web', port: 80 }], service: 'http://web.demo.svc:80', resolution: 'ResolvedRefs' },
    { refs: [{ name: 'shell', port: 22 }], service: 'ssh://shell.demo.svc:22', resolution: 'ResolvedRefs' },
    {
      refs: [
        { name: 'gone', port: 80, weight: 0 },
        { name: 'web', port: 80 },
      ],
      service: 'http://web.demo.svc:80',
      resolution: 'ResolvedRefs',
    },
    { refs: [], service: 'http_status:500', resolution: 'ResolvedRefs' },
    { refs: [{ name: 'gone', port: 80 }], service: 'http_status:500', resolution: 'BackendNotFound' },
    { refs: [{ name: 'web', kind: 'Bucket', group: 'x' }], service: 'http_status:500', resolution: 'InvalidKind' },
    {
      refs: [{ name: 'web', namespace: 'other', port: 80 }],
      service: 'http_status:500',
      resolution: 'RefNotPermitted',
    },
  ])('$refs', ({ refs, service, resolution }) => {
    const { rules, ...answer } = backendOf(refs)
    expect([rules[0]?.service, answer.resolution]).toEqual([service, resolution])
  })
  it.each([
    { name: 'a grant', grant: grantFrom({}), resolution: 'ResolvedRefs' },
    { name: 'a grant for this Service', grant: grantFrom({}, { name: 'web' }), resolution: 'ResolvedRefs' },
    { name: 'one for another Service', grant: grantFrom({}, { name: 'x' }), resolution: 'RefNotPermitted' },
    { name: 'one for another namespace', grant: grantFrom({ namespace: 'x' }), resolution: 'RefNotPermitted' },
    { name: 'one for another kind', grant: grantFrom({ kind: 'GRPCRoute' }), resolution: 'RefNotPermitted' },
    { name: 'one for another group', grant: grantFrom({ group: 'x' }), resolution: 'RefNotPermitted' },
    {
      name: 'one of another namespace',
      grant: { ...grantFrom({}), metadata: { namespace: 'x' } },
      resolution: 'RefNotPermitted',
    },
  ])('in another namespace with $name: $resolution', ({ grant, resolution }) => {
    expect(backendOf([{ name: 'web', namespace: 'other', port: 80 }], { grants: [grant] }).resolution).toBe(resolution)
  })
  it('of several the first one gets all requests', () => {
    const { rules, notes } = backendOf([
      { name: 'web', port: 80 },
      { name: 'shell', port: 22 },
    ])
    expect(rules.map(({ service }) => service)).toEqual(['http://web.demo.svc:80'])
    expect(notes.map(({ reason }) => reason)).toEqual(['WeightsUnsupported'])
  })
})
