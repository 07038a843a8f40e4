import type { Draft } from '../../kit/schema.ts'
import type { TunnelIngressClassConfig } from '../ingressclass/schema.ts'
import type { Ingress, IngressClass } from '../kubernetes.ts'
import type { Tunnel } from '../tunnel/schema.ts'

export const INGRESS_CONTROLLER = 'cloudflare-operator.io/ingress-controller'
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class'
const DEFAULT_ANNOTATION = 'ingressclass.kubernetes.io/is-default-class'
const CONFIG = { apiGroup: 'networking.cloudflare-operator.io', kind: 'TunnelIngressClassConfig' }

/** The class of an Ingress, if it is one of this operator (CF-CNV-01). */
export function classOf(
  ingress: Draft<Ingress>,
  classes: readonly Draft<IngressClass>[],
): Draft<IngressClass> | undefined {
  const found = classNamedBy(ingress, classes)
  return found?.spec?.controller === INGRESS_CONTROLLER ? found : undefined
}

/** The class of an Ingress, whether or not it is served here; none where it is not there. */
export function classNamedBy({ metadata, spec }: Draft<Ingress>, classes: readonly Draft<IngressClass>[]) {
  const name = spec?.ingressClassName || metadata?.annotations?.[CLASS_ANNOTATION] || defaultClass(classes)
  return classes.find((each) => each.metadata?.name === name)
}

/** Of several defaults the API server takes the youngest, and of two of one age the first by name. */
function defaultClass(classes: readonly Draft<IngressClass>[]): string | undefined {
  const age = ({ metadata }: Draft<IngressClass>) => metadata?.creationTimestamp ?? ''
  const name = ({ metadata }: Draft<IngressClass>) => metadata?.name ?? ''
  const defaults = classes.filter(({ metadata }) => metadata?.annotations?.[DEFAULT_ANNOTATION] === 'true')
  const [first] = defaults.toSorted((one, other) => compare(age(other), age(one)) || compare(name(one), name(other)))
  return first?.metadata?.name
}
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Where the config of a class stands: in the namespace that it names, or in that of the operator (CF-CNV-02). */
export function configRefOf({ spec }: Draft<IngressClass>, operatorNamespace: string) {
  const { apiGroup, kind, name, scope, namespace } = spec?.parameters ?? {}
  if (name === undefined) return undefined
  if (apiGroup !== CONFIG.apiGroup || kind !== CONFIG.kind) return { problem: `parameters name no ${CONFIG.kind}` }
  return { namespace: scope === 'Namespace' ? (namespace ?? '') : operatorNamespace, name }
}

export interface TunnelKey {
  readonly kind: 'ClusterTunnel' | 'Tunnel'
  readonly namespace: string
  readonly name: string
}
/** The tunnel that a config names. */
export function tunnelKeyIn({ metadata, spec }: Draft<TunnelIngressClassConfig>): TunnelKey | undefined {
  const { kind, name, namespace = metadata?.namespace ?? '' } = spec?.tunnelRef ?? {}
  if (kind === undefined || name === undefined) return undefined
  return { kind, name, namespace: kind === 'Tunnel' ? namespace : '' }
}

/** Without a config the one tunnel of the cluster is meant, if there is one alone (CF-CNV-02). */
export function onlyTunnel(tunnels: readonly Draft<Tunnel>[]): TunnelKey | { readonly problem: string } {
  const [only, ...others] = tunnels
  const name = only?.metadata?.name
  if (name !== undefined && others.length === 0) return { kind: 'ClusterTunnel', namespace: '', name }
  return { problem: `the class has no parameters, and there are ${tunnels.length} ClusterTunnels instead of one` }
}

/** No namespaces are all of them. */
export const watches = ({ spec }: Draft<TunnelIngressClassConfig>, namespace: string) =>
  (spec?.watchNamespaces ?? []).length === 0 || spec?.watchNamespaces?.includes(namespace) === true
