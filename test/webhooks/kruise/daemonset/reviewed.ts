import type { Gvr, Readers } from '../../../../src/cluster/port.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { daemonSets } from '../../../../webhooks/kruise/daemonset/kind.ts'
import { APPS_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { VALIDATE } from '../../../../webhooks/kruise/doors.ts'
import { answered, wordsOf } from '../../../support/answerer-parts.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const OFF = { featureGates: ['AdvancedDaemonSetNodeLabelPatches=false'] }
/** The API server is asked nothing, unless the case is about that. */
export const SHALLOW = { deepValidation: false }

interface Around {
  /** The old object of an update. */
  readonly prev?: unknown
  readonly of?: Gvr
  readonly settings?: Readonly<Record<string, unknown>>
  readonly readers?: Readers
}

/** What the author of a DaemonSet gets to read, one line for the decision and one for each warning. */
export async function allWordsTo(next: unknown, around: Around = {}): Promise<readonly string[]> {
  const { prev, of = APPS_DAEMONSET, settings = {}, readers = readersOf() } = around
  const { creationOf, updateOf } = reviewsOf(of)
  const body = prev === undefined ? creationOf(next) : updateOf(prev, next)
  const parts = { kinds: daemonSets, readers, settings: settingsOf({ ...SHALLOW, ...settings }) }
  return wordsOf(await answered(VALIDATE.path, body, parts)).split('\n')
}

/** The same without the warnings that never deny, of which each has a test of its own. */
export async function wordsTo(next: unknown, around?: Around): Promise<readonly string[]> {
  return (await allWordsTo(next, around)).filter((line) => !NEVER_DENY.test(line))
}

const NEVER_DENY = /^warning: (.*\(PATCH-V-2[23][a-l]?\)|and \d+ more warnings)$/

/** The rules that refuse, and with a minus those that warn, with the path of what they found. */
export async function findingsIn(next: unknown, around?: Around): Promise<readonly string[]> {
  const [decision = '', ...warnings] = await wordsTo(next, around)
  const refusals = decision === 'allowed' ? [] : decision.replace('422 Invalid: ', '').split(/(?<=\(PATCH-[\w-]+\)); /)
  return [...refusals.map(foundIn), ...warnings.map((warning) => `-${foundIn(warning.replace('warning: ', ''))}`)]
}
const foundIn = (line: string) => `${/\(([\w-]+)\)$/.exec(line)?.[1]} ${pathIn(line)}`
const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
/** A long warning shows the end of its path alone. */
const pathIn = (line: string) => line.split(': ')[0]?.replace(/^…\S*?(?=\[\d)/, AT)
