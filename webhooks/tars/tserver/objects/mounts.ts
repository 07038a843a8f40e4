import { TIMEZONE, WORK_DIR } from '../reserved.ts'
import { MOUNT_HOST_TIMEZONE } from '../settings.ts'
import { isClaim, isTars, type Mount, mountsOf } from '../shape.ts'
import type { Subject } from './subject.ts'
import { filled, firsts } from './written-form.ts'

/** MP-22a: the volumes of the pod template. A claim is none of them, since each pod has its own. */
export function volumesFor(subject: Subject) {
  const volumes = mountsFor(subject).filter((mount) => !isClaim(mount))
  return [...volumes, ...addedFor(subject)].map(({ name, source }) => ({ name, ...source }))
}

/** MP-22b: where the main container finds them. */
export function volumeMountsFor(subject: Subject) {
  const own = mountsFor(subject).map(({ source: _, name, mountPath, readOnly = false, ...rest }) => ({
    name,
    mountPath,
    readOnly,
    ...filled(rest),
  }))
  return [...own, ...addedFor(subject).map(({ name, path }) => ({ name, mountPath: path }))]
}

/**
 * The author's mounts that can stand together (WK-13): the controller's own volumes count first, then the first mount of
 * a name or path. A DaemonSet has no claims (MP-40).
 */
export function mountsFor(subject: Subject): readonly Mount[] {
  const { spec } = subject.server
  const added = addedFor(subject)
  const mounts = mountsOf(spec).filter(
    (mount) =>
      !(spec.k8s.daemonSet && isClaim(mount)) &&
      !added.some(({ name, path }) => name === mount.name || path === mount.mountPath),
  )
  return firsts(
    firsts(mounts, ({ name }) => name),
    ({ mountPath }) => mountPath,
  )
}

function addedFor({ server: { spec }, given: { settings } }: Subject) {
  return [
    ...(settings.get(MOUNT_HOST_TIMEZONE) ? [{ ...TIMEZONE, source: { hostPath: { path: TIMEZONE.path } } }] : []),
    ...(isTars(spec) ? [{ ...WORK_DIR, source: { emptyDir: {} } }] : []),
  ]
}
