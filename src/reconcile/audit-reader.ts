import { keptFor } from '../cluster/kept.ts'
import type { Need } from '../cluster/needs.ts'
import type { Built, ClusterReader, Gvr } from '../cluster/port.ts'
import { projectionOf } from '../cluster/projection.ts'
import { foundAs, isNamed } from '../cluster/stored.ts'
import type { Clock } from '../timing/clock.ts'
import { pause } from '../timing/pause.ts'

/** Reads live, at most so many times a second. */
export function pacedReader(live: ClusterReader, perSecond: number, clock: Clock, signal: AbortSignal): ClusterReader {
  let next = 0
  async function turn(): Promise<void> {
    const now = clock.tick()
    const at = Math.max(now, next)
    next = at + 1_000 / perSecond
    await pause(clock, at - now, signal)
  }
  return {
    get: (of, ref) => turn().then(() => live.get(of, ref)),
    list: (of, where) => turn().then(() => live.list(of, where)),
    dryRun: (...asked) => turn().then(() => live.dryRun(...asked)),
  }
}

const MOST_ANSWERS = 10_000

/** Remembers the answers of a pass, with the fields that rules look at, so that a template is read once for all its servers. */
export function rememberingReader(live: ClusterReader, reads: readonly Need[]): ClusterReader {
  const answers = new Map<string, readonly Built[]>()
  const kept = keptFor(reads)
  const projected = ({ plural }: Gvr) => projectionOf(kept.find(({ resource }) => resource.plural === plural)?.fields)
  async function known(of: Gvr, what: object, ask: () => Promise<readonly unknown[]>): Promise<readonly Built[]> {
    const key = JSON.stringify([of.group, of.plural, what])
    const answer = answers.get(key) ?? (await ask()).filter(isNamed).map(projected(of))
    if (answers.size >= MOST_ANSWERS) answers.clear()
    answers.set(key, answer)
    return answer
  }
  return {
    ...live,
    async get(of, ref) {
      const [object] = await known(of, ref, async () => [await live.get(of, ref)])
      return object && foundAs(of, object)
    },
    async list(of, where) {
      const objects = await known(of, where, () => live.list(of, where))
      return objects.map((object) => foundAs(of, object))
    },
  }
}
