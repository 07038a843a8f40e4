import type { Gvr, Ref } from './port.ts'

type Query = Readonly<Record<string, string>>

/** Of a collection; without a namespace, of all of them. */
export function collectionPath({ group, version, plural, scope }: Gvr, namespace: string, query: Query = {}): string {
  const root = group === '' ? ['api', version] : ['apis', group, version]
  const home = scope === 'Namespaced' && namespace !== '' ? ['namespaces', namespace] : []
  const search = new URLSearchParams(query).toString()
  return `/${[...root, ...home, plural].map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

export function objectPath(of: Gvr, { namespace, name }: Ref): string {
  return `${collectionPath(of, namespace)}/${encodeURIComponent(name)}`
}

/** The others would lead out of their place: a DELETE without a name takes the whole collection. */
export function canBeName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..'
}

/** As people say it: `ttemplates.k8s.tars.io`. */
export function qualified({ plural, group }: Gvr): string {
  return group === '' ? plural : `${plural}.${group}`
}
