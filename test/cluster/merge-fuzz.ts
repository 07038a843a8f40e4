import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { strategicMerge } from '../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../src/kube/strategic-merge/merge-error.ts'
import type { Tree } from '../../src/schema.ts'
import { type Pair, pairsOf } from '../support/merge-pairs.ts'
import { type MergeAnswer, type MergeOracle, mergeOracle } from './merge-oracle.ts'

export interface Fuzzed {
  readonly pairs: number
  /** Pairs that the library refuses. */
  readonly refused: number
  /** What the library and ours do not agree on, the shortest first. */
  readonly differences: readonly (Pair & { readonly theirs: MergeAnswer; readonly ours: unknown })[]
}

const AT_ONCE = 2_000
const MOST = 20

/** Random pairs, through the library and ours. */
export async function fuzzed(oracle: MergeOracle, seed: number, pairs: number): Promise<Fuzzed> {
  const next = pairsOf(seed)
  const differences: Fuzzed['differences'][number][] = []
  let refused = 0
  for (let done = 0; done < pairs && differences.length < MOST; done += AT_ONCE) {
    const asked = Array.from({ length: Math.min(AT_ONCE, pairs - done) }, next)
    const awaited = oracle.answersTo(asked)
    const own = asked.map(ours)
    for (const [i, theirs] of (await awaited).entries()) {
      if (theirs.error !== undefined) refused += 1
      const pair = asked[i]
      if (pair && !isDeepStrictEqual(own[i], theirs.expected)) differences.push({ ...pair, theirs, ours: own[i] })
    }
  }
  return { pairs, refused, differences: differences.sort((one, other) => sizeOf(one) - sizeOf(other)) }
}

/** Undefined where the patch is refused. */
export function ours({ original, patch }: Pair): Tree | undefined {
  try {
    return strategicMerge(original, patch)
  } catch (error) {
    if (error instanceof MergeError) return undefined
    throw error
  }
}

function sizeOf(pair: Pair): number {
  return JSON.stringify(pair).length
}

/** `node test/cluster/merge-fuzz.ts --pairs 10000000 --seed 1`. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { pairs: { type: 'string' }, seed: { type: 'string' } } })
  const [pairs, seed] = [Number(values.pairs ?? 200_000), Number(values.seed ?? Date.now() % 1_000_000_000)]
  const oracle = await mergeOracle()
  const started = performance.now()
  const result = await fuzzed(oracle, seed, pairs)
  await oracle.stop()
  const seconds = Math.round((performance.now() - started) / 1_000)
  process.stdout.write(`seed ${seed}, ${seconds} s: ${JSON.stringify(result, undefined, 1)}\n`)
  process.exitCode = result.differences.length === 0 ? 0 : 1
}
