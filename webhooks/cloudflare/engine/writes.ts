import { isSame } from '../../kit/admission.ts'
import type { Action } from '../../kit/controller.ts'
import type { Gvr, KubeObject, Tree } from '../../kit/schema.ts'
import { ANNOTATIONS } from '../names.ts'
import type { RemoteSeen } from './seen.ts'
import { statusIn } from './seen.ts'

type Seen = RemoteSeen<KubeObject>

/** Each write of a turn counts for the version that the turn has read (CF-OWN-12). */
function onto(of: Gvr, { metadata }: KubeObject, because: string) {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata
  return { of, ref: { namespace, name }, expects: { uid, resourceVersion }, because }
}

/** Before the first write at Cloudflare; with it, that one without a mark is about to be made. */
export function claimed(
  of: Gvr,
  { object, hasFinalizer }: Pick<Seen, 'object' | 'hasFinalizer'>,
  finalizer: string,
  creatingSince?: string,
): readonly Action[] {
  const finalizers = hasFinalizer ? undefined : [...(object.metadata.finalizers ?? []), finalizer]
  const annotations = creatingSince === undefined ? undefined : { [ANNOTATIONS.creating]: creatingSince }
  if (finalizers === undefined && annotations === undefined) return []
  const metadata = { ...(finalizers && { finalizers }), ...(annotations && { annotations }) }
  return [{ do: 'merge', ...onto(of, object, 'CF-OWN-12'), patch: { metadata } }]
}

export function released(of: Gvr, { object }: Pick<Seen, 'object'>, finalizer: string): readonly Action[] {
  const finalizers = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer)
  return [{ do: 'merge', ...onto(of, object, 'CF-OWN-12'), patch: { metadata: { finalizers } } }]
}

export function recorded(of: Gvr, { object }: Seen, remote: { readonly id: string; readonly origin: string }) {
  const before = object.metadata.annotations ?? {}
  const wanted = { [ANNOTATIONS.remoteId]: remote.id, [ANNOTATIONS.remoteOrigin]: remote.origin }
  const isDone = Object.entries(wanted).every(([name, value]) => before[name] === value)
  const isCreating = before[ANNOTATIONS.creating] !== undefined
  if (isDone && !isCreating) return []
  const annotations = { ...wanted, [ANNOTATIONS.creating]: null }
  return [
    { do: 'merge', ...onto(of, object, 'CF-OWN-08'), patch: { metadata: { annotations } } },
  ] satisfies readonly Action[]
}

/** What stands at Cloudflare from now on was made by somebody else. */
export function notMade(of: Gvr, { object }: Seen): readonly Action[] {
  const annotations = { [ANNOTATIONS.creating]: null }
  return [{ do: 'merge', ...onto(of, object, 'CF-OWN-08'), patch: { metadata: { annotations } } }]
}

/** A status that is so already is not written. */
export function reported(of: Gvr, { object }: Pick<Seen, 'object'>, status: Tree): readonly Action[] {
  const before = statusIn(object)
  const changed = Object.entries(status).filter(([name, value]) => !isSame(before[name], value))
  if (changed.length === 0) return []
  const patch = { status: Object.fromEntries(changed) }
  return [{ do: 'merge', ...onto(of, object, 'CF-CRD-09'), patch, subresource: 'status' }]
}
