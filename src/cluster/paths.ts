import { SUBDOMAIN_LENGTH } from '../kube/names.ts'
import type { Gvr, Ref } from './port.ts'

type Query = Readonly<Record<string, string>>

/** The path of a collection; without a namespace that of all namespaces. */
export function collectionPath({ group, version, plural, scope }: Gvr, namespace: string, query: Query = {}): string {
  const root = group === '' ? ['api', version] : ['apis', group, version]
  const home = scope === 'Namespaced' && namespace !== '' ? ['namespaces', namespace] : []
  const search = new URLSearchParams(query).toString()
  return `/${[...root, ...home, plural].map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

export function objectPath(of: Gvr, { namespace, name }: Ref): string {
  return `${collectionPath(of, namespace)}/${encodeURIComponent(name)}`
}

/**
 * What is asked for may come from anybody. These would lead elsewhere, a DELETE without a name takes them all, and a name of a
 * megabyte is no path.
 */
export function canBeName(name: string): boolean {
  return name !== '' && name.length <= SUBDOMAIN_LENGTH && canBeNamespace(name)
}

export function canBeNamespace(namespace: string): boolean {
  return namespace !== '.' && namespace !== '..'
}

/** The resource with its group: `ttemplates.k8s.tars.io`. */
export function qualified({ plural, group }: Gvr): string {
  return group === '' ? plural : `${plural}.${group}`
}
