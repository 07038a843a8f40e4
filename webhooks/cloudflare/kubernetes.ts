import { integer, type KubeObject, list, map, object, resource, type Shape, text } from '../kit/schema.ts'

/** Kinds of Kubernetes, with the fields that are read of them. */
const word = (doc: string) => text({ doc })
const words = (doc: string) => list(word(doc), { doc })
const names = <const K extends string, const P extends string>(
  group: string,
  kind: K,
  plural: P,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
) => ({ group, version: 'v1', kind, plural, scope }) as const

const servicePort = object(
  { port: integer({ doc: 'Number.' }) },
  { name: word('Name.'), protocol: word('TCP or UDP.'), appProtocol: word('What is spoken.') },
)
const service = object({}, { spec: object({}, { ports: list(servicePort, { doc: 'Ports.' }) }) })
export type OriginService = KubeObject & Shape<typeof service>
export type OriginPort = Shape<typeof servicePort>
export const ORIGIN_SERVICE = resource(names('', 'Service', 'services'), service)

const ingressBackend = object(
  {},
  {
    service: object(
      { name: word('Name of the Service.') },
      { port: object({}, { number: integer({ doc: 'Number.' }), name: word('Name.') }) },
    ),
    resource: object({}, { kind: word('Kind.'), name: word('Name.') }),
  },
)
const ingressPath = object({ backend: ingressBackend }, { path: word('Path.'), pathType: word('How it matches.') })
const ingressRule = object(
  {},
  { host: word('Hostname.'), http: object({ paths: list(ingressPath, { doc: 'Paths.' }) }) },
)
const ingress = object(
  {},
  {
    spec: object(
      {},
      {
        ingressClassName: word('Class.'),
        defaultBackend: ingressBackend,
        rules: list(ingressRule, { doc: 'Rules.' }),
      },
    ),
    status: object(
      {},
      {
        loadBalancer: object({}, { ingress: list(object({}, { hostname: word('Hostname.') }), { doc: 'Addresses.' }) }),
      },
    ),
  },
)
export type Ingress = KubeObject & Shape<typeof ingress>
export type IngressPath = Shape<typeof ingressPath>
export const INGRESS = resource(names('networking.k8s.io', 'Ingress', 'ingresses'), ingress)

const classParameters = object(
  { kind: word('Kind.'), name: word('Name.') },
  { apiGroup: word('Group.'), scope: word('Scope.'), namespace: word('Namespace.') },
)
const ingressClass = object({}, { spec: object({}, { controller: word('Controller.'), parameters: classParameters }) })
export type IngressClass = KubeObject & Shape<typeof ingressClass>
export const INGRESS_CLASS = resource(
  names('networking.k8s.io', 'IngressClass', 'ingressclasses', 'Cluster'),
  ingressClass,
)

/** Of which the labels count alone. */
export const ROUTE_NAMESPACE = resource(names('', 'Namespace', 'namespaces', 'Cluster'), object({}))

export const GATEWAY_GROUP = 'gateway.networking.k8s.io'
const reference = {
  group: word('Group.'),
  kind: word('Kind.'),
  namespace: word('Namespace.'),
}
const gatewayClass = object(
  {},
  {
    spec: object(
      { controllerName: word('Controller.') },
      { parametersRef: object({ ...reference, name: word('Name.') }, {}) },
    ),
  },
)
export type GatewayClass = KubeObject & Shape<typeof gatewayClass>
export const GATEWAY_CLASS = resource(names(GATEWAY_GROUP, 'GatewayClass', 'gatewayclasses', 'Cluster'), gatewayClass)

const labelRequirement = object(
  { key: word('Label.'), operator: word('In, NotIn, Exists or DoesNotExist.') },
  { values: words('Value.') },
)
export type LabelRequirement = Shape<typeof labelRequirement>
const allowedRoutes = object(
  {},
  {
    namespaces: object(
      {},
      {
        from: word('Which.'),
        selector: object(
          {},
          {
            matchLabels: map(word('Value.'), { doc: 'Labels.' }),
            matchExpressions: list(labelRequirement, { doc: 'Expressions.' }),
          },
        ),
      },
    ),
    kinds: list(object({ kind: word('Kind.') }, { group: word('Group.') }), { doc: 'Kinds.' }),
  },
)
const listener = object(
  { name: word('Name.') },
  {
    hostname: word('Hostname.'),
    port: integer({ doc: 'Port.' }),
    protocol: word('Protocol.'),
    allowedRoutes,
  },
)
const gateway = object(
  {},
  { spec: object({ gatewayClassName: word('Class.') }, { listeners: list(listener, { doc: 'Listeners.' }) }) },
)
export type Gateway = KubeObject & Shape<typeof gateway>
export type GatewayListener = Shape<typeof listener>
export const GATEWAY = resource(names(GATEWAY_GROUP, 'Gateway', 'gateways'), gateway)

const named = object(
  { name: word('Name.') },
  { ...reference, sectionName: word('Listener.'), port: integer({ doc: 'Port.' }) },
)
const backendRef = object(
  { name: word('Name.') },
  {
    ...reference,
    port: integer({ doc: 'Port.' }),
    weight: integer({ doc: 'Weight.' }),
    filters: list(object({}), { doc: 'Filters.' }),
  },
)
const routeMatch = object(
  {},
  {
    path: object({}, { type: word('How it matches.'), value: word('Path.') }),
    headers: list(object({}), { doc: 'Headers.' }),
    queryParams: list(object({}), { doc: 'Parameters.' }),
    method: word('Method.'),
  },
)
const routeRule = object(
  {},
  {
    matches: list(routeMatch, { doc: 'Matches.' }),
    filters: list(object({}), { doc: 'Filters.' }),
    backendRefs: list(backendRef, { doc: 'Backends.' }),
  },
)
const httpRoute = object(
  {},
  {
    spec: object(
      {},
      {
        parentRefs: list(named, { doc: 'Gateways.' }),
        hostnames: words('Hostname.'),
        rules: list(routeRule, { doc: 'Rules.' }),
      },
    ),
  },
)
export type HttpRoute = KubeObject & Shape<typeof httpRoute>
export type RouteParent = Shape<typeof named>
export type RouteMatch = Shape<typeof routeMatch>
export type RouteRule = Shape<typeof routeRule>
export type RouteBackend = Shape<typeof backendRef>
export const HTTP_ROUTE = resource(names(GATEWAY_GROUP, 'HTTPRoute', 'httproutes'), httpRoute)

const grantFrom = object({ group: word('Group.'), kind: word('Kind.'), namespace: word('Namespace.') })
const grantTo = object({ group: word('Group.'), kind: word('Kind.') }, { name: word('Name.') })
const referenceGrant = object(
  {},
  { spec: object({}, { from: list(grantFrom, { doc: 'Whose references.' }), to: list(grantTo, { doc: 'To what.' }) }) },
)
export type ReferenceGrant = KubeObject & Shape<typeof referenceGrant>
export const REFERENCE_GRANT = resource(
  { ...names(GATEWAY_GROUP, 'ReferenceGrant', 'referencegrants'), version: 'v1beta1' },
  referenceGrant,
)
