import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isError, lint } from '../../webhooks/nacos/config/lint.ts'
import { mergedText } from '../../webhooks/nacos/config/merge.ts'
import { normalised } from '../../webhooks/nacos/config/normalise.ts'
import { VECTORS } from '../webhooks/nacos/config/vectors.ts'
import { answersOf, compiled, type Given, printedBy } from './java.ts'
import { effective, hasCode, pairsIn, seed, textsOf } from './texts.ts'

const MANY = 100_000
const spring = compiled(['SpringProperties', 'SpringEnvironment', 'Json'], process.env.SPRING_JARS)
const readBy = async (texts: readonly string[]) =>
  (await answersOf('SpringProperties', spring, texts)).map(([read]) => read)

/** An item of a list key is a key of its own (NC-PRP-09). */
const hasList = (pairs: readonly (readonly string[])[]) => pairs.some(([key = '']) => key.endsWith('[]'))

describe(`the loader of Spring Boot 2.7.18 and ours, seed ${seed}`, () => {
  it(`NC-PRP-10, NC-PRP-12 reads ${MANY} random texts alike, where nothing is found`, async () => {
    const texts = textsOf(MANY)
    const answers = await readBy(texts.map(normalised))
    const passing = texts.flatMap((text, at) => {
      const [findings, pairs] = [lint(text), pairsIn(normalised(text))]
      const isFound = findings.some(isError) || hasCode(findings, 'W10') || hasList(pairs)
      return isFound ? [] : [{ text, ours: effective(pairs), theirs: answers[at] }]
    })
    expect(passing.length).toBeGreaterThan(MANY / 10)
    const wrong = passing.filter(({ ours, theirs }) => {
      const documents = ours.length === 0 ? [[], [[]]] : [[ours]]
      return !documents.some((each) => JSON.stringify(each) === JSON.stringify(theirs))
    })
    expect(wrong.slice(0, 10)).toEqual([])
  })

  it('NC-TST-12 reads otherwise what the vectors say', async () => {
    const otherwise = VECTORS.filter((vector) => vector.spring !== undefined)
    const answers = await readBy(otherwise.map(({ source }) => normalised(source)))
    const wrong = otherwise.filter(({ spring }, at) => {
      const documents = spring === 'refused' ? [spring] : [spring, [spring]]
      return !documents.some((each) => JSON.stringify(each) === JSON.stringify(answers[at]))
    })
    expect(wrong).toEqual([])
  })
})

describe('NC-MRG-35 the file is the lowest of what a server goes by', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'nacos-oracle-')), 'application.properties')
  writeFileSync(file, mergedText('server.port=1', 'server.port=2'))
  const location = `-Dspring.config.location=file:${file}`
  const env = { SERVER_PORT: '3' }
  const json = { ...env, SPRING_APPLICATION_JSON: '{"server.port":5}' }
  const options = [location, '-Dserver.port=4']

  it.each<{ name: string; given: Given; port: string }>([
    { name: 'by itself the user overrides the internal part', given: { options: [location] }, port: '2' },
    { name: 'the environment wins', given: { options: [location], env }, port: '3' },
    { name: 'a system property wins over both', given: { options, env }, port: '4' },
    { name: 'the JSON of the environment wins over them', given: { options, env: json }, port: '5' },
    { name: 'the command line wins', given: { options, env: json, words: ['--server.port=6'] }, port: '6' },
  ])('$name', ({ given, port }) => {
    expect(printedBy('SpringEnvironment', spring, given)).toBe(port)
  })
})
