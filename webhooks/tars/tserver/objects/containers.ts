import { WORK_DIR } from '../reserved.ts'
import { isTars } from '../shape.ts'
import { volumeMountsFor } from './mounts.ts'
import { containerPorts } from './ports.ts'
import type { Subject } from './subject.ts'
import { filled, lasts } from './written-form.ts'

/** The API server takes it in a template and refuses it in a pod, so that nothing runs without a release. */
const NO_IMAGE = ' '

/** MP-18 */
export function mainContainer(subject: Subject) {
  const { metadata, spec } = subject.server
  const { env = [], envFrom, resources, imagePullPolicy = 'Always' } = spec.k8s
  return {
    name: metadata.name,
    image: spec.release?.image || NO_IMAGE,
    imagePullPolicy,
    ...filled({
      env: lasts(env, ({ name }) => name),
      envFrom,
      resources,
      ports: containerPorts(subject),
      volumeMounts: volumeMountsFor(subject),
    }),
  }
}

/** MP-16: the node agent of a tars server. */
export const initContainers = (subject: Subject) => (isTars(subject.server.spec) ? [nodeAgent(subject)] : [])

/** MP-17, and MP-19: the launcher type has no other effect. */
function nodeAgent({ server: { spec }, config }: Subject) {
  const { launcherType = 'background' } = spec.k8s
  return {
    name: 'tarsnode',
    image: spec.release?.nodeImage || config?.nodeImage?.image || NO_IMAGE,
    imagePullPolicy: 'Always',
    env: [
      fromField('Namespace', 'metadata.namespace'),
      fromField('PodName', 'metadata.name'),
      fromField('PodIP', 'status.podIP'),
      { name: 'ServerApp', value: spec.app },
      { name: 'ServerName', value: spec.server },
      ...(launcherType === 'background' ? [] : [{ name: 'LauncherType', value: launcherType }]),
    ],
    volumeMounts: [{ name: WORK_DIR.name, mountPath: WORK_DIR.path }],
  }
}

const fromField = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } })
