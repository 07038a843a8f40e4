import { describe, expect, it } from 'vitest'
import { drop, dropLabel, isRefusal, label, set } from '../../../src/admission/mutation.ts'

const LABEL = '/metadata/labels/tars.io~1Parent'

describe('edits', () => {
  it.each([
    ['set', set('/spec/size', 1), { op: 'add', path: '/spec/size', value: 1 }],
    ['drop', drop('/spec/size'), { op: 'remove', path: '/spec/size' }],
    ['label', label('tars.io/Parent', 'a'), { op: 'add', path: LABEL, value: 'a' }],
    ['label with an empty text', label('tars.io/Parent', ''), { op: 'add', path: LABEL, value: '' }],
    ['label of nothing', label('tars.io/Parent', undefined), { op: 'remove', path: LABEL }],
    ['label that cannot be (AP-16)', label('tars.io/Parent', 'a b'), { op: 'remove', path: LABEL }],
    ['label that is too long', label('tars.io/Parent', 'a'.repeat(64)), { op: 'remove', path: LABEL }],
    ['dropLabel', dropLabel('tars.io/Parent'), { op: 'remove', path: LABEL }],
  ])('%s', (_, edit, expected) => {
    expect(edit).toStrictEqual(expected)
  })
})

describe('a mutation answers with edits, or refuses', () => {
  const refuse = { id: 'XX-V1', on: 'write', message: () => '', remedy: '' }
  it.each([
    { name: 'no edits', answer: [], refusal: false },
    { name: 'edits', answer: [drop('/spec/size')], refusal: false },
    { name: 'a refusal', answer: { refuse, findings: [] }, refusal: true },
  ])('$name', ({ answer, refusal }) => {
    expect(isRefusal(answer)).toBe(refusal)
  })
})
