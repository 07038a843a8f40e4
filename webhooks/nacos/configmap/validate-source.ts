import { type Delete, type Finding, type Findings, isSame, type Rule } from '../../kit/admission.ts'
import type { ClusterReader, KubeObject } from '../../kit/schema.ts'
import type { PropertyEntry } from '../config/entries.ts'
import { isError, type LintFinding, lint } from '../config/lint.ts'
import { protectedBy, said } from '../config/merge.ts'
import { normalised } from '../config/normalise.ts'
import { type ProtectedKeys, protectedEntries, protectedKeysOf } from '../config/protected.ts'
import { shown } from '../config/shown.ts'
import { CONFIG_MAP, type ConfigMap } from '../kubernetes.ts'
import { PROTECTED_KEYS } from '../nacos/settings.ts'
import { sourcesOf } from '../nacos/shape.ts'
import { ANNOTATIONS } from '../names.ts'
import {
  type ConfigMapUpdate,
  changedUses,
  hasRole,
  isSameData,
  isSource,
  pathOf,
  quoted,
  type SourceUse,
  sourceNamed,
  textOf,
  usesIn,
  usesOf,
} from './uses.ts'

const message = ({ value = '' }: Finding) => `${value}`

/** What a source may become while a Nacos reads it. */
export const sourceUpdateRules: readonly Rule<ConfigMap>[] = [
  {
    id: 'NC-ADM-40',
    field: 'data',
    on: 'update',
    always: true,
    when: (given) => isSource(given) && !isSameData(given),
    check: lintFindings,
    message,
    examples: [
      { path: 'data', value: 'ConfigMap "<name>" key "<key>" line <line>: <text> (used by Nacos "<nacos>")' },
      { path: 'data', value: 'ConfigMap "<name>" key "<key>" line <line>: <text>', effect: 'warn' },
    ],
    remedy: 'correct that line',
  },
  {
    id: 'NC-ADM-41',
    field: 'data',
    on: 'update',
    always: true,
    when: (given) => isSource(given) && !isSameData(given),
    check: protectedFindings,
    message,
    examples: [
      {
        path: 'data',
        value:
          'ConfigMap "<name>" key "<key>" line <line>: key "<property>" is protected by ConfigMap "<internal>" and cannot be set here',
      },
    ],
    remedy: 'leave it out',
  },
  {
    id: 'NC-ADM-42',
    field: 'data',
    on: 'update',
    always: true,
    when: (given) => isSource(given) && !isSameData(given),
    check: removedKeys,
    message: ({ value, by = [] }) => `key "${value}" is used by Nacos ${by.join()}`,
    examples: [{ path: 'data', value: '<key>', by: ['"<nacos>"'] }],
    remedy: 'change the reference first',
  },
  {
    id: 'NC-ADM-46',
    field: 'data',
    on: 'update',
    effect: 'warn',
    always: true,
    when: (given) => isSource(given) && !isSameData(given),
    check: restarts,
    message: ({ value, by = [] }) => `${value} Nacos cluster(s) will be restarted one member at a time: ${by.join()}`,
    examples: [{ path: 'data', value: '<count>', by: ['"<nacos>"'] }],
    remedy: 'watch them',
  },
  {
    id: 'NC-PRO-06',
    field: 'metadata.annotations',
    on: 'update',
    effect: 'warn',
    always: true,
    when: (given) => isSource(given) && !isSame(listsOf(given.prev), listsOf(given.next)),
    check: newlyProtected,
    message,
    examples: [
      {
        path: 'metadata.annotations',
        value: 'ConfigMap "<name>" key "<key>" line <line>: key "<property>" is protected now',
      },
    ],
    remedy: 'take it out there',
  },
]

/** NC-ADM-43: it stays the last good one, and pruning tools delete and create again. */
export const sourceDeletion: Rule<ConfigMap> = {
  id: 'NC-ADM-43',
  field: 'metadata.name',
  on: 'deleteByMetadata',
  effect: 'warn',
  when: ({ prev }) => hasRole('source', prev),
  check: async ({ prev, namespace }: Delete<KubeObject>, cluster) => {
    const uses = await usesOf({ namespace, name: prev.metadata.name }, cluster)
    return uses.length === 0 ? [] : [{ path: 'metadata.name', by: [quoted(uses)] }]
  },
  message: ({ by = [] }) => `still used by Nacos ${by.join()}`,
  examples: [{ path: 'metadata.name', by: ['"<nacos>"'] }],
  remedy: 'the running configuration is kept but cannot be changed',
}

/** Only keys that are still there: one that is gone is a matter of NC-ADM-42. */
async function lintFindings(given: ConfigMapUpdate, cluster: ClusterReader): Promise<Findings> {
  const uses = (await changedUses(given, cluster)).filter(({ key }) => given.next.data?.[key] !== undefined)
  const byKey = Object.entries(Object.groupBy(uses, ({ key }) => key))
  return byKey.flatMap(([key, users = []]) => {
    const before = new Set(lint(textOf(given.prev, key)).map(sayingOf))
    const findings = lint(textOf(given.next, key)).filter((each) => isError(each) || !before.has(sayingOf(each)))
    return findings.map((each) => findingOf(each, key, given.next.metadata.name, users))
  })
}
const sayingOf = ({ code, text }: LintFinding) => `${code} ${text}`

function findingOf(finding: LintFinding, key: string, name: string, users: readonly SourceUse[]): Finding {
  const text = said({ name, key }, finding.line, finding.text)
  return isError(finding)
    ? { path: pathOf(key), value: `${text} (used by Nacos ${quoted(users)})` }
    : { path: pathOf(key), value: text, effect: 'warn' }
}

/** What stood there before warns. */
async function protectedFindings(given: ConfigMapUpdate, cluster: ClusterReader): Promise<Findings> {
  const uses = (await changedUses(given, cluster)).filter(({ owner }) => owner === 'user')
  const found = await Promise.all(
    uses.map(async ({ nacos, key }) => {
      const { internal, keys } = await protectionOf(given, nacos, cluster)
      const stood = new Set(protectedEntries(textOf(given.prev, key), keys).map(asText))
      return protectedEntries(textOf(given.next, key), keys).map((entry): Finding => {
        const value = said({ name: given.next.metadata.name, key }, entry.line, protectedBy(entry.key, internal))
        return { path: pathOf(key), value, ...(stood.has(asText(entry)) && { effect: 'warn' }) }
      })
    }),
  )
  return found.flat()
}
const asText = ({ key, value }: PropertyEntry) => JSON.stringify([key, value])

interface Protection {
  readonly internal: string | undefined
  readonly keys: ProtectedKeys
}
async function protectionOf(
  given: ConfigMapUpdate,
  nacos: SourceUse['nacos'],
  cluster: ClusterReader,
): Promise<Protection> {
  const internal = sourcesOf(nacos).find(({ owner }) => owner === 'internal')?.name
  const map = internal === undefined ? undefined : await sourceNamed(internal, given, cluster)
  const annotations = map?.metadata.annotations ?? {}
  return { internal, keys: protectedKeysOf(given.settings.get(PROTECTED_KEYS), annotations) }
}

async function removedKeys(given: ConfigMapUpdate, cluster: ClusterReader): Promise<Findings> {
  const uses = (await changedUses(given, cluster)).filter(({ key }) => given.next.data?.[key] === undefined)
  return Object.entries(Object.groupBy(uses, ({ key }) => key)).map(([key, users = []]) => ({
    path: pathOf(key),
    value: key,
    by: [quoted(users)],
  }))
}

/** A paused one waits. */
async function restarts(given: ConfigMapUpdate, cluster: ClusterReader): Promise<Findings> {
  const uses = (await changedUses(given, cluster)).filter(({ nacos, key }) => {
    const [before, after] = [given.prev, given.next].map((map) => normalised(textOf(map, key)))
    return before !== after && !isPaused(nacos)
  })
  const count = new Set(uses.map(({ nacos }) => nacos.metadata.name)).size
  return count === 0 ? [] : [{ path: 'data', value: count, by: [quoted(uses)] }]
}
const isPaused = ({ metadata: { annotations } }: SourceUse['nacos']) =>
  annotations?.[ANNOTATIONS.configRollout] === 'paused' || annotations?.[ANNOTATIONS.reconcilePaused] === 'true'

const listsOf = ({ metadata: { annotations } }: ConfigMap) =>
  [ANNOTATIONS.protectedKeys, ANNOTATIONS.overridableKeys].map((key) => annotations?.[key] ?? '')

async function newlyProtected(given: ConfigMapUpdate, cluster: ClusterReader): Promise<Findings> {
  const { prev, next, namespace, settings } = given
  const uses = (await usesIn(given, cluster)).filter(({ owner }) => owner === 'internal')
  const [before, after] = [prev, next].map(({ metadata }) =>
    protectedKeysOf(settings.get(PROTECTED_KEYS), metadata.annotations ?? {}),
  )
  if (before === undefined || after === undefined) return []
  const users = uses.flatMap(({ nacos }) => sourcesOf(nacos).filter(({ owner }) => owner === 'user'))
  const found = await Promise.all(
    users.map(async (user) => {
      const map = await cluster.get(CONFIG_MAP, { namespace, name: user.name })
      const entries = protectedEntries(map?.data?.[user.key] ?? '', after).filter(({ key }) => !before.includes(key))
      return entries.map(({ key, line }) => said(user, line, protectedNow(key)))
    }),
  )
  return found.flat().map((value) => ({ path: 'metadata.annotations', value }))
}
const protectedNow = (key: string) => `key "${shown(key)}" is protected now`
