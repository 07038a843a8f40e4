import type { Keeping } from '../cluster/needs.ts'
import type { Gvr, KubeObject, Words } from '../cluster/port.ts'
import type { Index, Key, Watch } from './controller.ts'

/** Objects that the controller makes: a change of one wakes its owner. */
export function owned(resource: Gvr, owner: Pick<Gvr, 'group' | 'kind'>, keeps: Keeping = {}): Watch {
  return { resource, keeps, wakes: ({ metadata }) => ownersIn(metadata, owner) }
}

/** Objects that belong to a key by their labels. */
export function labelled(resource: Gvr, nameIn: (labels: Words) => string | undefined, keeps: Keeping = {}): Watch {
  function wakes({ metadata: { namespace = '', labels } }: KubeObject): readonly Key[] {
    const name = nameIn(labels ?? {})
    return name === undefined ? [] : [{ namespace, name }]
  }
  return { resource, keeps, wakes }
}

/** Objects that keys name in their own fields. */
export function referred(resource: Gvr, keeps: Keeping = {}): Watch {
  return {
    resource,
    keeps,
    wakes: ({ metadata: { namespace = '', name } }, among) =>
      among.referring({ of: resource, key: { namespace, name } }),
  }
}

/** Objects any of which may concern many keys. */
export function all(
  resource: Gvr,
  keysFor: (object: KubeObject, among: Index) => readonly Key[],
  keeps: Keeping = {},
): Watch {
  return { resource, keeps, wakes: keysFor }
}

function ownersIn(
  { namespace = '', ownerReferences }: KubeObject['metadata'],
  owner: Pick<Gvr, 'group' | 'kind'>,
): readonly Key[] {
  const owners = (ownerReferences ?? []).filter(
    ({ controller, kind, apiVersion }) => controller && kind === owner.kind && groupOf(apiVersion) === owner.group,
  )
  return owners.map(({ name }) => ({ namespace, name }))
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '')
