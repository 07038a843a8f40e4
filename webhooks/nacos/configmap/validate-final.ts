import { isTerminating } from '../../../src/kube/metadata.ts'
import { type Delete, type Finding, type Findings, isSame, type Rule } from '../../kit/admission.ts'
import type { ClusterReader, Found, KubeObject } from '../../kit/schema.ts'
import type { ConfigMap } from '../kubernetes.ts'
import { NACOS, type Nacos } from '../nacos/schema.ts'
import { sourcesOf } from '../nacos/shape.ts'
import { LABELS } from '../names.ts'
import { type ConfigMapUpdate, hasRole } from './uses.ts'

const message = ({ value, by: [name = ''] = [] }: Finding) => `ConfigMap "${value}" is generated for Nacos "${name}"`
const instead = ({ by = [] }: Finding) => {
  const [, ...sources] = by
  return sources.length === 0
    ? 'edit that Nacos instead'
    : `edit ${sources.map((each) => `"${each}"`).join(' or ')} instead`
}
const GENERATED = {
  reason: 'Forbidden',
  // The garbage collector takes owners away, where an owner is deleted without its children.
  exempt: ['CTRL', 'KUBE'],
  message,
  remedy: instead,
} as const
const EXAMPLE = { value: '<name>', by: ['<nacos>', '<user>', '<internal>'] }

/** What the worker generates, it alone writes. */
export const finalRules: readonly Rule<ConfigMap>[] = [
  {
    ...GENERATED,
    id: 'NC-ADM-44',
    field: 'data, binaryData, immutable, metadata.labels, metadata.ownerReferences',
    on: 'update',
    always: true,
    when: (given) => hasRole('final', given.prev) && changedIn(given) !== undefined,
    check: (given, cluster) => generated(given, changedIn(given) ?? 'data', cluster),
    examples: [{ ...EXAMPLE, path: 'data' }],
  },
  {
    ...GENERATED,
    id: 'NC-ADM-45',
    field: 'metadata.name',
    on: 'deleteByMetadata',
    when: ({ prev }) => hasRole('final', prev),
    check: (given, cluster) => generated(given, 'metadata.name', cluster),
    examples: [{ ...EXAMPLE, path: 'metadata.name' }],
  },
]

/** The first managed part that differs. Other metadata anyone may edit. */
function changedIn({ prev, next }: ConfigMapUpdate): string | undefined {
  const [before, after] = [prev, next].map(({ data, binaryData, immutable, metadata }) => ({
    data: data ?? {},
    binaryData: binaryData ?? {},
    immutable: immutable ?? false,
    'metadata.labels': metadata.labels?.[LABELS.configRole],
    'metadata.ownerReferences': metadata.ownerReferences ?? [],
  }))
  return Object.entries(after ?? {}).find(
    ([path, value]) => !isSame(value, new Map(Object.entries(before ?? {})).get(path)),
  )?.[0]
}

/** Without its Nacos, or with one that terminates, it may go. */
async function generated(
  { prev, namespace }: Pick<Delete<KubeObject>, 'prev' | 'namespace'>,
  path: string,
  cluster: ClusterReader,
): Promise<Findings> {
  const name = ownerOf(prev)
  const nacos = name === undefined ? undefined : await cluster.get(NACOS, { namespace, name })
  if (nacos === undefined || isTerminating(nacos)) return []
  return [{ path, value: prev.metadata.name, by: [nacos.metadata.name, ...sourceNames(nacos)] }]
}

function ownerOf({ metadata: { ownerReferences } }: KubeObject): string | undefined {
  const owners = ownerReferences ?? []
  return owners.find(
    ({ controller, kind, apiVersion }) =>
      controller === true && kind === NACOS.kind && apiVersion.startsWith(`${NACOS.group}/`),
  )?.name
}

/** The user's first. */
const sourceNames = (nacos: Found<Nacos>) =>
  sourcesOf(nacos)
    .toReversed()
    .map(({ name }) => name)
