import { isTerminating } from '../../../../src/kube/metadata.ts'
import type { Key, Sight } from '../../../kit/controller.ts'
import { Fault, type Found, isTree, type KubeObject, type Resource } from '../../../kit/schema.ts'
import { CONFIG_MAP, NACOS_POD, NACOS_SERVICE, NACOS_STATEFULSET } from '../../kubernetes.ts'
import { CONFIG_ROLES, FIXED_LABELS, LABELS } from '../../names.ts'
import { NACOS, type Nacos } from '../schema.ts'
import { childNamesOf, finalNameOf, isMerging, isOldWay, type SourceRef, sourcesOf } from '../shape.ts'
import { type NacosSeen, podOf, type SeenSource, type Whole } from './seen.ts'
import { specProblems } from './spec-problems.ts'

/** Nothing is planned for a terminating Nacos: the garbage collector takes what it controls (NC-REC-05). */
export async function observe(key: Key, { cached, live }: Sight): Promise<NacosSeen | undefined> {
  const nacos = await cached.get(NACOS, key)
  if (!NACOS.isOutline(nacos) || isTerminating(nacos)) return undefined
  const { namespace, name } = key
  const [set = '', headless = '', client = ''] = childNamesOf(name)
  const child = (of: Resource<KubeObject>, name: string) => childIn({ cached, live }, of, { namespace, name })
  const [statefulSet, peerService, clientService] = await Promise.all([
    child(NACOS_STATEFULSET, set),
    child(NACOS_SERVICE, nacos.spec?.type === 'cluster' ? headless : set),
    child(NACOS_SERVICE, client),
  ])
  const [sources, final, generated, pods] = await Promise.all([
    sourcesIn(nacos, live),
    finalIn(nacos, live),
    cached.list(CONFIG_MAP, { namespace, labels: { [LABELS.configRole]: CONFIG_ROLES.final } }),
    cached.list(NACOS_POD, { namespace, labels: { [LABELS.app]: name, ...FIXED_LABELS } }),
  ])
  const own = pods.filter((pod) => isControlledBy(pod, statefulSet))
  const problems = specProblems({ nacos, statefulSet })
  const children = { statefulSet, peerService, clientService, generated, pods: own.map(podOf) }
  return { nacos, problems, sources, final, ...children }
}

/** One of somebody else may lack the labels by which children are kept, and is not written either (NC-REC-42). */
async function childIn(
  { cached, live }: Pick<Sight, 'cached' | 'live'>,
  of: Resource<KubeObject>,
  ref: Key,
): Promise<Whole | undefined> {
  const object = (await cached.get(of, ref)) ?? (await live.get(of, ref))
  return isWhole(object) ? object : undefined
}
const isWhole = (object: unknown): object is Whole => isTree(object)

/** Live, since an older text after a newer one would restart all members twice (NC-MRG-04). */
function sourcesIn(nacos: Nacos, live: Sight['live']): Promise<readonly SeenSource[]> {
  const { namespace = '' } = nacos.metadata
  return Promise.all(sourcesOf(nacos).map((ref) => sourceAt(ref, namespace, live)))
}

/** NC-MRG-50: what cannot be read is not missing. */
async function sourceAt(ref: SourceRef, namespace: string, live: Sight['live']): Promise<SeenSource> {
  try {
    return { ref, found: await live.get(CONFIG_MAP, { namespace, name: ref.name }) }
  } catch (cause) {
    if (cause instanceof Fault) return { ref, unreadable: cause.message }
    throw cause
  }
}

async function finalIn(nacos: Nacos, live: Sight['live']): Promise<NacosSeen['final']> {
  const { namespace = '', name } = nacos.metadata
  if (isMerging(nacos)) return live.get(CONFIG_MAP, { namespace, name: finalNameOf(nacos, name) })
  return isOldWay(nacos) ? live.get(CONFIG_MAP, { namespace, name }) : undefined
}

/** NC-REC-51 */
function isControlledBy({ metadata: { ownerReferences } }: Found<KubeObject>, owner: Whole | undefined): boolean {
  return (
    owner !== undefined &&
    (ownerReferences ?? []).some(({ controller, uid }) => controller && uid === owner.metadata.uid)
  )
}
