import { describe, expect, it } from 'vitest'
import { isError, lint } from '../../webhooks/nacos/config/lint.ts'
import { mergedText } from '../../webhooks/nacos/config/merge.ts'
import { normalised } from '../../webhooks/nacos/config/normalise.ts'
import { VECTORS } from '../webhooks/nacos/config/vectors.ts'
import { answersOf, compiled } from './java.ts'
import { effective, hasCode, hasLoneBackslash, pairsIn, seed, textsOf } from './texts.ts'

const MANY = 100_000
const java = compiled(['JavaProperties', 'Json'])
const readBy = (texts: readonly string[]) => answersOf('JavaProperties', java, texts)
const withoutMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text)

/** What is shown of a difference: the text by which it comes again. */
const differences = <T>(found: readonly T[]) => found.slice(0, 10)

describe(`java.util.Properties and ours, seed ${seed}`, () => {
  it('NC-TST-12 the vectors are what it reads', async () => {
    const texts = VECTORS.map(({ source }) => normalised(source))
    const answers = await readBy(texts)
    const wrong = VECTORS.filter(({ entries, malformed }, at) => {
      const [read] = answers[at] ?? []
      return JSON.stringify(read) !== JSON.stringify(malformed ? 'malformed' : entries)
    })
    expect(differences(wrong)).toEqual([])
  })

  it(`NC-PRP-01 to NC-PRP-08 ${MANY} random texts are read alike, but for a lone backslash`, async () => {
    const texts = textsOf(MANY)
    const answers = await readBy(texts.map(normalised))
    const wrong = texts.filter((text, at) => {
      const [read] = answers[at] ?? []
      const findings = lint(text)
      if (read === 'malformed') return !hasCode(findings, 'E1')
      if (hasLoneBackslash(findings) || hasCode(findings, 'E1')) return false
      return JSON.stringify(pairsIn(normalised(text))) !== JSON.stringify(read)
    })
    expect(differences(wrong)).toEqual([])
  })

  it('NC-MRG-10 to NC-MRG-13 normalising keeps every key and value that the author meant', async () => {
    const texts = textsOf(MANY).filter((text) => !hasLoneBackslash(lint(text)))
    const [meant, read] = [await readBy(texts.map(withoutMark)), await readBy(texts.map(normalised))]
    const wrong = texts.filter((_, at) => JSON.stringify(meant[at]?.[1]) !== JSON.stringify(read[at]?.[0]))
    expect(differences(wrong)).toEqual([])
  })

  it('NC-MRG-25, NC-MRG-30, NC-MRG-31 a merge is read as the internal text, overlaid by that of the user', async () => {
    const good = textsOf(MANY).filter((text) => !lint(text).some(isError))
    const pairs = good.flatMap((text, at) => (at % 2 === 0 ? [] : [[good[at - 1] ?? '', text] as const]))
    expect(pairs.length).toBeGreaterThan(MANY / 8)
    const texts = pairs.map(([internal, user]) => mergedText(normalised(internal), normalised(user)))
    const answers = await readBy(texts)
    const wrong = pairs.filter((parts, at) => {
      const wanted = effective(parts.flatMap((part) => pairsIn(normalised(part))))
      return JSON.stringify(wanted) !== JSON.stringify(effective(listIn(answers[at]?.[0])))
    })
    expect(differences(wrong)).toEqual([])
  })
})

const listIn = (read: unknown): readonly (readonly string[])[] => (Array.isArray(read) ? read : [])
