import type { Built, Found } from '../../../src/cluster/port.ts'
import type { Action } from '../../../src/reconcile/action.ts'
import { type GroupSeen, plan } from '../../../webhooks/tars/tconfig/plan.ts'
import { TCONFIG, type TConfig } from '../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig, type ConfigWishes, DEACTIVATING, DELETING } from './configs.ts'

export const AT = new Date('2026-11-18T12:00:00Z')
export const secondsAgo = (seconds: number) => new Date(AT.getTime() - seconds * 1_000).toISOString()

export interface MarkWishes extends ConfigWishes {
  readonly uid?: string
  readonly byUid?: string
  readonly markedAt?: string
  readonly by?: string
  readonly activatedAt?: string
}
export function config(
  name: string,
  { markedAt, by, byUid, activatedAt, uid, ...wishes }: MarkWishes = {},
): Found<TConfig> {
  const annotations = {
    ...(markedAt !== undefined && { 'tars.io/MarkedAt': markedAt }),
    ...(by !== undefined && { 'tars.io/MarkedBy': by }),
    ...(byUid !== undefined && { 'tars.io/MarkedByUid': byUid }),
    ...(activatedAt !== undefined && { 'tars.io/ActivatedAt': activatedAt }),
  }
  const built = aTConfig({ name, annotations, ...wishes })
  return configOf({ ...built, metadata: { ...built.metadata, ...(uid !== undefined && { uid }) } })
}
function configOf(built: Built): Found<TConfig> {
  if (TCONFIG.isDraft(built)) return built
  throw new Error('no TConfig')
}
export const ending = (name: string, wishes: MarkWishes = {}) => config(name, { labels: DEACTIVATING, ...wishes })
export const doomed = (name: string, wishes: MarkWishes = {}) =>
  config(name, { labels: DELETING, activated: false, ...wishes })
export const seenOf = (members: readonly Found<TConfig>[], more: Partial<GroupSeen> = {}): GroupSeen => ({
  members,
  markers: new Map(),
  limit: 10,
  ...more,
})
export const named = (...configs: readonly Found<TConfig>[]) =>
  new Map(configs.map((each) => [each.metadata.name, each]))

/** `deactivate v1 (TC-R1)` and the like, one line for each action, and when the key comes again. */
export function planned(seen: GroupSeen): readonly string[] {
  const { actions, againInMs } = plan(seen, { at: AT })
  return [...actions.map(lineOf), ...(againInMs === undefined ? [] : [`again in ${againInMs} ms`])]
}
function lineOf(action: Action): string {
  const name = 'ref' in action ? action.ref.name : ''
  const verb = action.do === 'merge' ? (action.patch.activated === false ? 'deactivate' : 'keep') : action.do
  return `${verb} ${name} (${action.because.slice(0, 5)})`
}
const expects = (name: string) => ({ uid: `uid-of-${name}`, resourceVersion: '7' })
export const refTo = (name: string) => ({ of: TCONFIG, ref: { namespace: 'demo', name }, expects: expects(name) })
