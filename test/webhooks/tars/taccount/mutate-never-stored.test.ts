import { describe, expect, it } from 'vitest'
import type { AnswererParts } from '../../../../src/admission/answer.ts'
import { patchIn, wordsOf } from '../../../support/answerer-parts.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../../support/builders/accounts.ts'
import { GOING } from '../../../support/builders/templates.ts'
import { at } from '../../../support/builders/trees.ts'
import {
  CLEAR,
  creation,
  creationOf,
  deletionOf,
  isNowhereIn,
  madeOf,
  mutated,
  OTHER,
  PASSWORD_REMOVED,
  REFUSED,
  updateOf,
} from './mutated.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const NEVER_STORED = [
  `metadata.annotations[${LAST_APPLIED}]: removed, for it may hold a password (TA-M6)`,
  'spec.authentication.password: removed, for a clear password is never stored (TA-M1)',
]
const COPY_REMOVED = { op: 'remove', path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration' }

describe('TA-V1 in the mutating phase: what cannot be a password', () => {
  it.each([
    ['too short', 'aB3!x'],
    ['too long', 'x'.repeat(33)],
    ['with a space', 'correct horse'],
    ['with a tab', 'tab\tseparated'],
    ['with a letter beyond ASCII', 'pässword'],
    ['with a line break at its end', 'password\n'],
    ['a number', 12345678],
    ['a list', ['Passw0rd!']],
    ['a map', { value: 'Passw0rd!' }],
    ['null', null],
  ])('%s, is refused, and nothing is told of it', async (_, password) => {
    const answer = await mutated(creation({ password }))
    expect(wordsOf(answer)).toBe(REFUSED)
    expect(answer.response.status?.details?.causes).toMatchObject([
      { field: 'spec.authentication.password', reason: 'FieldValueInvalid' },
    ])
    expect(answer.object).not.toHaveProperty('spec.authentication.password')
    for (const part of typeof password === 'string' ? [password] : ['12345678', 'Passw0rd!']) isNowhereIn(answer, part)
  })
  it.each([
    ['of 6 characters', 'aB3!xy'],
    ['of 32 characters', 'x'.repeat(32)],
    ['of all that can be typed without a space', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  ])('a password %s passes', async (_, password) => {
    expect(await madeOf(creation({ password }))).toEqual({
      activated: true,
      bcryptPassword: hashFor(password),
      tokens: [],
    })
  })
  it('is removed where it is only warned of (UX-3), and the stored hash stays', async () => {
    const stored = { bcryptPassword: hashFor(OTHER), tokens: [A_TOKEN] }
    const next = aTAccount({
      authentication: { ...stored, password: 'with space' },
      annotations: { [LAST_APPLIED]: '{"password":"with space"}' },
    })
    const answer = await mutated(updateOf(aTAccount({ authentication: stored }), next), { enforce: 'warn' })
    expect(answer.response.warnings).toEqual([
      expect.stringMatching(/^would be refused: spec.authentication.password: /),
      ...NEVER_STORED,
    ])
    expect(patchIn(answer)).toEqual([COPY_REMOVED, PASSWORD_REMOVED])
    isNowhereIn(answer, 'with space')
  })
  it('of another type is removed where it is only warned of, and the rest is mutated as ever', async () => {
    const body = creation({ bcryptPassword: hashFor(OTHER), tokens: [A_TOKEN], password: 7 })
    const { object, response } = await mutated(body, { enforce: 'warn' })
    expect(response).toMatchObject({ allowed: true })
    expect(response.warnings?.[0]).toContain('would be refused: ')
    expect(at(object, 'spec.authentication')).toEqual({ activated: true, bcryptPassword: hashFor(OTHER), tokens: [] })
  })
})

describe('TA-M6 what kubectl applied last is not kept', () => {
  const annotations = { [LAST_APPLIED]: `{"spec":{"authentication":{"password":"${CLEAR}"}}}`, team: 'a' }

  it.each([
    { name: 'on CREATE', bodyOf: creationOf },
    { name: 'on UPDATE', bodyOf: (object: unknown) => updateOf(aTAccount(), object) },
  ])('$name, and other annotations are', async ({ bodyOf }) => {
    const answer = await mutated(bodyOf(aTAccount({ annotations })))
    expect(patchIn(answer)).toEqual([COPY_REMOVED])
    expect(at(answer.object, 'metadata.annotations')).toEqual({ team: 'a' })
    expect(patchIn(await mutated(bodyOf(answer.object)))).toBeUndefined()
  })
  it('where it is absent there is nothing to do', async () => {
    expect(patchIn(await mutated(creationOf(aTAccount({ annotations: { team: 'a' } }))))).toBeUndefined()
  })
})

describe('TA-M6 nor is what others note of a write', () => {
  const left = async (body: unknown, wishes: Partial<AnswererParts> = {}) =>
    at((await mutated(body, wishes)).object, 'metadata.annotations')
  const note = `kubectl patch taccount admin --patch={"password":"${CLEAR}"} --record=true`
  const reported = { password: CLEAR }
  /** As encoders of JSON write what could be taken for HTML, and what ends a text. */
  const AWKWARD = String.raw`<a&b>"c\d'+`
  const inGo = JSON.stringify(AWKWARD).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')
  const inNet = [...AWKWARD].map((sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`).join('')

  it.each([
    'kubernetes.io/change-cause',
    'kapp.k14s.io/original',
    'objectset.rio.cattle.io/applied',
    'banzaicloud.com/last-applied',
  ])('%s leaves though the request itself brings no password', async (key) => {
    const annotations = { [key]: note, team: 'a' }
    expect(await left(creationOf(aTAccount({ annotations })))).toEqual({ team: 'a' })
    expect(await left(updateOf(aTAccount(), aTAccount({ annotations })))).toEqual({ team: 'a' })
    expect(await left(updateOf(aTAccount({ going: true }), aTAccount({ annotations, going: true })))).toEqual({
      team: 'a',
    })
  })
  it.each([
    ['word for word', CLEAR, note],
    ['and nothing else', CLEAR, CLEAR],
    ['quoted as a text of JSON', AWKWARD, JSON.stringify({ password: AWKWARD })],
    ['quoted as Go writes it', AWKWARD, inGo],
    ['quoted as .NET writes it', AWKWARD, inNet],
    ['quoted as YAML writes it', "it's-me1", "pass: 'it''s-me1'"],
    ['quoted in what is quoted', AWKWARD, JSON.stringify({ original: `{"password":${inGo}}` })],
    ['of signs that quote alone', '\\'.repeat(6), `password=${'\\'.repeat(6)}`],
  ])('any annotation that holds the password of this request leaves: %s', async (_, password, value) => {
    const annotations = { 'deployer.example.com/original': value, team: 'a' }
    expect(await left(creationOf(aTAccount({ annotations, authentication: { password } })))).toEqual({ team: 'a' })
  })
  it.each([
    ['where it is refused and only warned of (UX-3)', { password: 'with space' }, 'with space'],
    ['where it is a number', { password: 12345678 }, 'password: 12345678'],
    ['where something else is of a wrong type (W-4)', { ...reported, tokens: 'x' }, note],
  ])('and so it does %s', async (_, authentication, value) => {
    const annotations = { 'deployer.example.com/original': value, team: 'a' }
    const body = creationOf(aTAccount({ annotations, authentication }))
    expect(await left(body, { enforce: 'warn' })).toEqual({ team: 'a' })
  })
  it('and on an account being deleted (W-7)', async () => {
    const annotations = { 'deployer.example.com/original': note, team: 'a' }
    const next = aTAccount({ annotations, authentication: reported, going: true })
    expect(await left(updateOf(aTAccount({ going: true }), next))).toEqual({ team: 'a' })
  })
  it.each([
    ['no password', {}],
    ['an empty one', { password: '' }],
    ['another one', { password: OTHER }],
  ])('with %s in the request what else is noted stays', async (_, authentication) => {
    const annotations = { 'deployer.example.com/original': note, team: 'a' }
    const stored = { bcryptPassword: hashFor(OTHER), tokens: [] }
    const next = aTAccount({ annotations, authentication: { ...stored, ...authentication } })
    expect(await left(updateOf(aTAccount({ authentication: stored }), next))).toEqual(annotations)
  })
  it.each(['\\', 'u', '\\u', 'u00', 'u0041'])('and the longest annotations are read in no time: %s', async (sign) => {
    const annotations = { long: sign.repeat((256 * 1_024) / sign.length) }
    const body = creationOf(aTAccount({ annotations, authentication: reported }))
    const start = performance.now()
    await mutated(body)
    expect(performance.now() - start).toBeLessThan(500) // where the time grew with the square, minutes
  })
})

const BARE_HASH = 'spec.authentication.bcryptPassword: is a number, and a text belongs there; write it in quotes'

describe('where no mutation runs, the clear password leaves all the same (TA-M1, TA-M6)', () => {
  const annotations = { [LAST_APPLIED]: CLEAR }
  const clear = { bcryptPassword: hashFor(OTHER), tokens: [A_TOKEN], password: CLEAR }

  it.each([CLEAR, 'a b', 7])('on an object being deleted, and %s is never refused (W-7)', async (password) => {
    const { password: _, ...authentication } = clear
    const old = aTAccount({ going: true, authentication })
    const next = aTAccount({ going: true, annotations, authentication: { ...clear, password } })
    const answer = await mutated(updateOf(old, next))
    expect(answer.response).toMatchObject({ allowed: true, warnings: NEVER_STORED })
    expect(patchIn(answer)).toEqual([COPY_REMOVED, PASSWORD_REMOVED])
  })
  it('but an author who writes a deletionTimestamp does not stop the mutations (W-7)', async () => {
    const next = aTAccount({ authentication: clear })
    const body = updateOf(aTAccount(), { ...next, metadata: { ...next.metadata, ...GOING } })
    expect(await madeOf(body)).toMatchObject({ bcryptPassword: hashFor(CLEAR), tokens: [] })
  })
  it.each([
    ['tokens are', { tokens: 'x' }, []],
    ['activated is', { activated: 'yes' }, []],
    ['the hash is', { bcryptPassword: 7 }, [BARE_HASH]],
    ['the password as well is', { bcryptPassword: 7, password: [CLEAR] }, [BARE_HASH]],
  ])('where %s of a wrong type, for the schema to refuse (W-4)', async (_, wrong, reported) => {
    const answer = await mutated(creationOf(aTAccount({ annotations, authentication: { ...clear, ...wrong } })))
    expect(answer.response).toMatchObject({ allowed: true, warnings: [...reported, ...NEVER_STORED] })
    expect(patchIn(answer)).toEqual([COPY_REMOVED, PASSWORD_REMOVED])
  })
  it.each([
    ['an object of nothing', {}],
    ['a spec of another type', { metadata: { name: 'a' }, spec: 'x' }],
    ['an authentication of another type', { metadata: { name: 'a' }, spec: { authentication: [] } }],
    ['no authentication', { metadata: { name: 'a' }, spec: { username: 'admin' } }],
    ['labels and annotations of null', { metadata: { name: 'a', labels: null, annotations: null } }],
  ])('%s goes on unchanged, for the schema to refuse', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response).toMatchObject({ allowed: true })
    expect(answer.object).toEqual(object)
  })
  it('a delete has no patch', async () => {
    const { response } = await mutated(deletionOf(aTAccount({ annotations, authentication: clear })))
    expect(response.patch).toBeUndefined()
  })
})
