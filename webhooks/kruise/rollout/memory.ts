import type { Given } from '../../kit/controller.ts'
import { bypassedAfter, markedNow } from './breaker.ts'
import type { Decided } from './decided.ts'
import type { JudgedPod } from './judged.ts'
import { isOver, type Progress } from './progress.ts'
import type { RolloutMemory, RolloutSeen } from './seen.ts'

type Remembering = Pick<Given<RolloutMemory>, 'at' | 'remembered'>

/** What is known now. Another list, and another process, begin again. */
export function learned(
  { list, bypass }: RolloutSeen,
  judged: readonly JudgedPod[],
  { at, remembered }: Remembering,
): RolloutMemory {
  const now = at.getTime()
  const sightings = new Map(judged.map(({ pod, sighting }) => [pod.uid, sighting]))
  const expected = expectedOn(judged, remembered?.expected, now)
  if (remembered?.list !== list) {
    const { isRolling = false, toldAt } = remembered ?? {}
    return {
      list,
      since: now,
      sightings,
      expected,
      marks: new Map(),
      bypassed: 0,
      isRolling,
      ...(toldAt && { toldAt }),
    }
  }
  const isNew = ({ pod }: JudgedPod) => pod.mark === undefined && !remembered.sightings.has(pod.uid)
  const isMarked = (node: string | undefined, expected: string) =>
    remembered.marks.get(node ?? '')?.component === expected
  const newcomers = judged.filter(isNew).map(({ pod, sighting }) => {
    const isExpectedBefore = remembered.expected.get(pod.node ?? '')?.component === sighting.expected
    return { pod, expected: sighting.expected, isExpectedBefore, isReplacement: isMarked(pod.node, sighting.expected) }
  })
  const isKnownBypass = bypass !== undefined
  const bypassed = isKnownBypass ? remembered.bypassed : bypassedAfter(remembered.bypassed, newcomers, remembered.since)
  return { ...remembered, sightings, expected, bypassed, marks: pruned(remembered.marks, judged, now) }
}

/** A Node is without a pod for so long while one takes the place of another. */
const REPLACED_MS = 60_000

function expectedOn(judged: readonly JudgedPod[], before: RolloutMemory['expected'] = new Map(), now: number) {
  const kept = [...before].filter(([, { at }]) => now - at < REPLACED_MS)
  const seen = judged.map(({ pod, sighting }) => [pod.node ?? '', { component: sighting.expected, at: now }] as const)
  return new Map([...kept, ...seen])
}

const FORGOTTEN_MS = 7_200_000

/** PATCH-ROLL-9 c: a Node whose pod is current begins again. */
function pruned(marks: RolloutMemory['marks'], judged: readonly JudgedPod[], now: number): RolloutMemory['marks'] {
  const current = new Set(judged.flatMap(({ pod, sighting }) => (sighting.reason === undefined ? [pod.node] : [])))
  return new Map([...marks].filter(([node, { at }]) => !current.has(node) && now - at < FORGOTTEN_MS))
}

interface TurnTaken {
  readonly done: Decided
  readonly progress: Progress
  readonly at: Date
  readonly hasTold: boolean
}

export function afterTurn(memory: RolloutMemory, { done, progress, at, hasTold }: TurnTaken): RolloutMemory {
  const now = at.getTime()
  const marks = new Map(memory.marks)
  for (const { pod, sighting } of done.replaced)
    marks.set(pod.node ?? '', markedNow(marks.get(pod.node ?? ''), pod, sighting.expected, now))
  const isRolling = done.replaced.length > 0 || (memory.isRolling && !isOver(progress))
  return { ...memory, marks, isRolling, ...(hasTold && { toldAt: now }) }
}
