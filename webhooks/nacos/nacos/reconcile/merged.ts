import type { Settings } from '../../../kit/schema.ts'
import { configDigest } from '../../config/digest.ts'
import { merge, type SourceText } from '../../config/merge.ts'
import { type ProtectedKeys, protectedKeysOf } from '../../config/protected.ts'
import { KEYS } from '../../names.ts'
import type { WantedConfig } from '../objects/final.ts'
import { PROTECTED_KEYS } from '../settings.ts'
import { type HeldConfig, heldAs } from './held.ts'
import type { NacosSeen, SeenSource } from './seen.ts'

const KEYS_SHOWN = 10

interface Remembered {
  readonly settings: Settings
  readonly config: WantedConfig | HeldConfig
}
/** The plan of a turn asks, and its end does: up to a megabyte is merged once. */
const MERGED = new WeakMap<NacosSeen, Remembered>()

/** What the sources merge to, or why that is not rolled out. */
export function merged(seen: NacosSeen, configMap: string, settings: Settings): WantedConfig | HeldConfig {
  const known = MERGED.get(seen)
  if (known?.settings === settings) return known.config
  const config = mergeOf(seen, configMap, settings)
  MERGED.set(seen, { settings, config })
  return config
}

function mergeOf(seen: NacosSeen, configMap: string, settings: Settings): WantedConfig | HeldConfig {
  const [absence] = seen.sources.flatMap((source) => absenceOf(source) ?? [])
  if (absence !== undefined) return absence
  const result = merge(seen.sources.map(sourceText), protectedIn(seen, settings))
  if ('hold' in result) return heldAs(result.hold, result.message)
  const sources = sourceMarks(seen).map(({ mark }) => mark)
  return { configMap, key: KEYS.final, ...result, sources: sources.join(',') }
}

/** What the setting and the internal source protect (NC-PRO-01). */
export function protectedIn({ sources }: Pick<NacosSeen, 'sources'>, settings: Settings): ProtectedKeys {
  const internal = sources.find(({ ref }) => ref.owner === 'internal')?.found
  return protectedKeysOf(settings.get(PROTECTED_KEYS), internal?.metadata.annotations ?? {})
}

const sourceText = ({ ref, found }: SeenSource): SourceText => ({ ...ref, text: found?.data?.[ref.key] ?? '' })

/** What the annotation of the final ConfigMap says of each source (spec 1.5). */
export function sourceMarks({ sources }: Pick<NacosSeen, 'sources'>) {
  return sources.map(sourceText).map(({ owner, name, key, text }) => {
    return { name, mark: `${owner}=${name}/${key}#${configDigest(text)}` }
  })
}

/** NC-MRG-40 to NC-MRG-42, NC-MRG-50 */
function absenceOf({ ref: { name, key }, found, unreadable }: SeenSource): HeldConfig | undefined {
  const what = `ConfigMap "${name}"`
  if (unreadable !== undefined) return heldAs('SourceUnreadable', `${what} cannot be read: ${unreadable}`)
  if (found === undefined) return heldAs('SourceMissing', `${what} does not exist`)
  const { data, binaryData } = found
  if (typeof data?.[key] === 'string') return undefined
  if (Object.hasOwn(binaryData ?? {}, key)) return heldAs('KeyIsBinary', `${what} key "${key}" ${BINARY}`)
  return heldAs('KeyMissing', `${what} has no key "${key}"; it has ${keysIn(data)}`)
}
const BINARY = 'is in binaryData, since its file is no UTF-8; save it as UTF-8 or ASCII'

function keysIn(data: object | null | undefined): string {
  const there = Object.keys(data ?? {}).toSorted()
  if (there.length === 0) return 'none'
  return there.slice(0, KEYS_SHOWN).join(', ') + (there.length > KEYS_SHOWN ? ', …' : '')
}
