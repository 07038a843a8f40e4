import { expect, it } from 'vitest'
import { RULE_ID } from '../../src/admission/rule-id.ts'
import { prints } from '../prints.ts'
import { BAD_INPUT } from './bad-input/catalogue.ts'

/** `path: words (ID)`, or with the id behind it of the rule that lends its words, which are of `spec` then. */
const ID = RULE_ID.source
const SENTENCE = new RegExp(`(?<=: )(\\S.*?) \\((${ID})(?:, (${ID}))?\\)(?=; |\\n|$)`, 'gs')
const IN_BRIEF = ' … '
/** What is not deleted is named before the words of the rule. */
const OF_DELETE = /^T\w+ demo\/\S+: /

const reported = BAD_INPUT.filter(
  ({ code, message }) => /^(Invalid|Forbidden)$/.test(code) && !message.includes(IN_BRIEF),
)
  .flatMap(({ message }) => [...message.matchAll(SENTENCE)])
  .map(([, shown = '', id = '', lender]) => ({ words: shown.replace(OF_DELETE, ''), id, lender }))
  .map(({ words, id, lender }) =>
    lender === undefined ? { id, words } : { id: lender, words: words.replaceAll('apply.', 'spec.') },
  )
/** What the machine says by itself is no rule. */
const ofRules = reported.filter(({ id }) => id !== 'CV-8')
const refusals = new Map(ofRules.map((each) => [`${each.words} (${each.id})`, each]))

const rows = (prints['docs/rules.md'] ?? '')
  .split('\n')
  .map((line) => line.replace(/<a id="[-\w]+"><\/a>/, '').split(' | '))

function patternsOf(id: string): readonly RegExp[] {
  return rows
    .filter(([first]) => first === `| ${id}`)
    .flatMap(([, , , says = '', remedy = '']) =>
      turnsIn(says).flatMap((turn) => turnsIn(remedy).map((wayOut) => patternOf(`${turn}; ${wayOut}`))),
    )
}
const turnsIn = (cell: string) => cell.split('; or: ')

/** What stands in `<…>` as code is filled in from the object. */
function patternOf(text: string): RegExp {
  const known = text.split(/`<\w+>`/).map(RegExp.escape)
  return new RegExp(`^${known.join('.*')}$`, 's')
}

it.each([...refusals])('docs/rules.md has message and remedy of a refusal: %s', (_, { id, words }) => {
  expect(patternsOf(id).some((pattern) => pattern.test(words))).toBe(true)
})

const BETWEEN = new RegExp(`(?<=\\(${ID}\\)); |\\n`)
/** Of the own rules of a kind: what lends its words stands at the field of another. */
const places = BAD_INPUT.filter(
  ({ code, message }) => /^(Invalid|Forbidden)$/.test(code) && !message.includes(IN_BRIEF),
)
  .flatMap(({ message }) => message.split(BETWEEN))
  .flatMap((sentence) => [...sentence.matchAll(/^(\S+): .*\(([A-Z]{2}-V\d+|GW-1)\)$/gs)])
  .map(([, path = '', id = '']) => ({ id, path: path.replaceAll(/\[\d+\]/g, '[]') }))

it('each rule says which field its refusals are about', () => {
  const fields = new Map(rows.map(([first = '', , field = '']) => [first.slice(2), field.split(', ')]))
  const isThere = (path: string, field: string) =>
    path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
  expect(places.length).toBeGreaterThan(50)
  expect(places.filter(({ id, path }) => !fields.get(id)?.some((field) => isThere(path, field)))).toEqual([])
})
