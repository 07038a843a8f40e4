import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyTemplate } from '../support/templates/generated.ts'
import { anyStore } from '../support/templates/words.ts'
import { type Outcome, renderedByConfd, renderedByUs } from './rendered.ts'

/** `SYNC_RENDERS=100000 npm run test:sync -- templates` tries more. */
const RENDERS = Number(process.env.SYNC_RENDERS ?? 2_000)
const SEED = Number(process.env.SYNC_SEED ?? 20_261_119)
const IN_A_START = 500

it(`${RENDERS} templates give what the real confd gives (SY-TEST-7), seed ${SEED}`, {
  timeout: 60_000 + RENDERS * 50,
}, async () => {
  const differences: unknown[] = []
  const counts = { output: 0, error: 0 }
  for (let done = 0; done < RENDERS; done += IN_A_START) {
    const seed = SEED + done
    const templates = fc.sample(anyTemplate, { seed, numRuns: Math.min(IN_A_START, RENDERS - done) })
    const [store = new Map()] = fc.sample(anyStore, { seed, numRuns: 1 })
    const ours = renderedByUs(templates, store)
    const theirs = await renderedByConfd(templates, store)
    for (const [i, template] of templates.entries()) {
      const [one, other] = [ours[i], theirs[i]]
      if (one === undefined || other === undefined) throw new Error('a render is missing')
      counts['output' in other ? 'output' : 'error']++
      if (!areAlike(one, other) && !areSortedOtherwise(template, one, other))
        differences.push({ template, store, ours: one, theirs: other })
    }
    if (differences.length > 20) break
  }
  console.info(`${counts.output} outputs, ${counts.error} errors`)
  expect(differences).toEqual([])
})

function areAlike(ours: Outcome, theirs: Outcome): boolean {
  if ('output' in ours && 'output' in theirs) return ours.output === theirs.output
  return 'error' in ours && 'error' in theirs && readable(ours.error) === readable(theirs.error)
}

/** Of words of one length confd keeps no order; here they stay as they were (5.6). */
function areSortedOtherwise(template: string, ours: Outcome, theirs: Outcome): boolean {
  if (!/\bsort(KV)?ByLength\b/.test(template) || !('output' in ours && 'output' in theirs)) return false
  const bytesOf = ({ output }: { readonly output: string }) => [...output].sort().join('')
  return bytesOf(ours) === bytesOf(theirs)
}

/** confd takes its errors for a format of printf: a per cent sign in one garbles what follows. */
const readable = (error: string) => error.split('%')[0]
