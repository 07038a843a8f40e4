import { type Finding, type Findings, isSame, type Rule } from '../../kit/admission.ts'
import type { ClusterReader, Found } from '../../kit/schema.ts'
import { isError, lint } from '../config/lint.ts'
import { bytesOver, MOST_BYTES, mergedText, protectedBy, said, tooLarge } from '../config/merge.ts'
import { normalised } from '../config/normalise.ts'
import { protectedEntries, protectedKeysOf } from '../config/protected.ts'
import { CONFIG_MAP, type ConfigMap } from '../kubernetes.ts'
import type { NacosWrite } from './case.ts'
import type { Nacos } from './schema.ts'
import { PROTECTED_KEYS } from './settings.ts'
import { OWNERS, refField, type SourceRef, sourcesOf } from './shape.ts'

const SMALLER = 'make one of the sources smaller'
const FIELDS = 'spec.userConfigRef, spec.internalConfigRef'
const pathOf = ({ owner }: SourceRef) => `spec.${refField(owner)}`

/** The ConfigMaps that a Nacos names, at the moment that it names them. */
export const sourceRules: readonly Rule<Nacos>[] = [
  {
    id: 'NC-ADM-23',
    field: FIELDS,
    on: 'write',
    always: true,
    live: true,
    when: (given) => !isSameSources(given),
    check: badSources,
    message: ({ value = '' }: Finding) => (typeof value === 'number' ? tooLarge(value) : value),
    examples: [
      { path: 'spec.userConfigRef', value: 'ConfigMap "<name>" key "<key>" line <line>: <text>' },
      { path: 'spec.userConfigRef', value: MOST_BYTES + 1 },
    ],
    remedy: ({ value }) => (typeof value === 'number' ? SMALLER : 'correct that line first, or name another ConfigMap'),
  },
  {
    id: 'NC-ADM-25',
    field: FIELDS,
    on: 'write',
    effect: 'warn',
    check: missingSources,
    message: ({ value = '' }: Finding) => `ConfigMap ${value} is missing`,
    examples: [{ path: 'spec.userConfigRef', value: '"<name>" (key "<key>")' }],
    remedy: 'pods wait',
  },
]

const isSameSources = (given: NacosWrite) =>
  given.operation === 'UPDATE' && isSame(sourcesOf(given.prev), sourcesOf(given.next))

/** A source with what the cluster has of it. */
interface LookedUp extends SourceRef {
  readonly map: Found<ConfigMap> | undefined
}

function lookedUp({ next, namespace }: NacosWrite, cluster: ClusterReader): Promise<readonly LookedUp[]> {
  return Promise.all(
    sourcesOf(next).map(async (ref) => ({ ...ref, map: await cluster.get(CONFIG_MAP, { namespace, name: ref.name }) })),
  )
}

/** A new reference to the internal source may protect what the old one of the user sets. */
async function badSources(given: NacosWrite, cluster: ClusterReader): Promise<Findings> {
  const before = given.operation === 'UPDATE' ? sourcesOf(given.prev) : []
  const sources = await lookedUp(given, cluster)
  const internal = sources.find(({ owner }) => owner === 'internal')
  const keys = protectedKeysOf(given.settings.get(PROTECTED_KEYS), internal?.map?.metadata.annotations ?? {})
  const found = sources.flatMap((ref) => {
    const text = textOf(ref)
    const errors = before.some((old) => isSame(old, ref)) ? [] : lint(text).filter(isError)
    const entries = ref.owner === 'user' ? protectedEntries(text, keys) : []
    const texts = [
      ...errors.map((error) => said(ref, error.line, error.text)),
      ...entries.map(({ key, line }) => said(ref, line, protectedBy(key, internal?.name))),
    ]
    return texts.map((value) => ({ path: pathOf(ref), value }))
  })
  return [...found, ...oversized(sources)]
}

const textOf = ({ map, key }: LookedUp) => map?.data?.[key] ?? ''

/** E6 */
function oversized(sources: readonly LookedUp[]): Findings {
  const [internal = '', user = ''] = OWNERS.map((owner) => {
    const source = sources.find((each) => each.owner === owner)
    return source === undefined ? '' : normalised(textOf(source))
  })
  const [last] = sources.slice(-1)
  const bytes = bytesOver(mergedText(internal, user))
  return last === undefined || bytes === undefined ? [] : [{ path: pathOf(last), value: bytes }]
}

async function missingSources(given: NacosWrite, cluster: ClusterReader): Promise<Findings> {
  const sources = await lookedUp(given, cluster)
  return sources
    .filter(({ map, key }) => map?.data?.[key] === undefined)
    .map((source) => ({ path: pathOf(source), value: `"${source.name}" (key "${source.key}")` }))
}
