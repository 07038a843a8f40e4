import { isTerminating } from '../../../../src/kube/metadata.ts'
import type { Found, KubeObject, Words } from '../../../kit/schema.ts'
import { FIXED_LABELS, LABELS } from '../../names.ts'
import { NACOS, type Nacos } from '../schema.ts'

/** What says to which tool an object belongs, and to which release of it, is said of that object alone (NC-DIG-21). */
const FOREIGN_PREFIXES = [
  'kubectl.kubernetes.io/',
  'nacos.io/',
  'argocd.argoproj.io/',
  'kustomize.toolkit.fluxcd.io/',
  'helm.toolkit.fluxcd.io/',
  'meta.helm.sh/',
  'helm.sh/',
  'deployment.kubernetes.io/',
]
const FOREIGN_KEYS = ['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by']

/** The labels or annotations of a Nacos that its children have too (NC-DIG-21). */
export function copied(words: Words | null | undefined): Words {
  const isForeign = (key: string) =>
    FOREIGN_KEYS.includes(key) || FOREIGN_PREFIXES.some((prefix) => key.startsWith(prefix))
  return Object.fromEntries(Object.entries(words ?? {}).filter(([key]) => !isForeign(key)))
}

export const fixedLabelsOf = ({ metadata: { name } }: KubeObject): Words => ({ [LABELS.app]: name, ...FIXED_LABELS })

/** The fixed labels win (NC-DIG-20). */
export const labelsOf = (nacos: KubeObject): Words => ({ ...copied(nacos.metadata.labels), ...fixedLabelsOf(nacos) })

/** Of a child that has the labels of its Nacos, and is removed with it (NC-REC-06). */
export function childMetadata(nacos: Nacos, name: string, { labels = {}, annotations = {} }: ChildWords = {}) {
  return {
    name,
    namespace: nacos.metadata.namespace ?? '',
    labels: { ...labelsOf(nacos), ...labels },
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ownerReferences: [ownerOf(nacos)],
  }
}
interface ChildWords {
  readonly labels?: Words
  readonly annotations?: Words
}

function ownerOf({ metadata: { name, uid = '' } }: Nacos) {
  const apiVersion = `${NACOS.group}/${NACOS.version}`
  return { apiVersion, kind: NACOS.kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/**
 * Whose an object is, by the uid of its controller (NC-DIG-40): another object of the same name was a predecessor, and
 * what it left is collected.
 */
export type ChildHold = 'ours' | 'unowned' | 'predecessor' | 'foreign'
export function holdOn({ metadata }: Found<KubeObject>, nacos: Nacos): ChildHold {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)
  if (owner === undefined) return 'unowned'
  if (owner.uid === nacos.metadata.uid) return isTerminating({ metadata }) ? 'predecessor' : 'ours'
  return owner.kind === NACOS.kind && owner.name === nacos.metadata.name ? 'predecessor' : 'foreign'
}
