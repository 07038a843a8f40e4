import { afterAll, describe, expect, it } from 'vitest'
import type { AnswererParts } from '../../../../src/admission/answer.ts'
import type { Passwords } from '../../../../src/admission/mutation.ts'
import { Fault } from '../../../../src/faults.ts'
import { sha1Of } from '../../../../src/kube/digests.ts'
import { PasswordPool } from '../../../../src/remote/passwords/pool.ts'
import { BCRYPT_COST } from '../../../../webhooks/tars/taccount/settings.ts'
import { patchIn, withSetting, wordsOf } from '../../../support/answerer-parts.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../../support/builders/accounts.ts'
import { at } from '../../../support/builders/trees.ts'
import { quickPasswords } from '../../../support/passwords.ts'
import {
  CLEAR,
  creation,
  creationOf,
  isNowhereIn,
  madeOf,
  mutated,
  OTHER,
  PASSWORD_REMOVED,
  REFUSED,
  updateOf,
} from './mutated.ts'

const TOKENS_EMPTIED = { op: 'add', path: '/spec/authentication/tokens', value: [] }
const update = (before: object, authentication: object) =>
  updateOf(aTAccount({ authentication: before }), aTAccount({ authentication }))

describe('TA-M1 a password leaves, and its hash is kept', () => {
  it('on CREATE', async () => {
    expect(patchIn(await mutated(creation({ password: CLEAR })))).toEqual([
      PASSWORD_REMOVED,
      { op: 'add', path: '/spec/authentication/bcryptPassword', value: hashFor(CLEAR) },
      TOKENS_EMPTIED,
    ])
  })
  it('on UPDATE, where it ends all sessions', async () => {
    const stored = { bcryptPassword: hashFor(OTHER), tokens: [A_TOKEN] }
    expect(await madeOf(update(stored, { ...stored, password: CLEAR }))).toEqual({
      activated: true,
      bcryptPassword: hashFor(CLEAR),
      tokens: [],
    })
  })
  it('in a dry run all the same', async () => {
    const body = creationOf(aTAccount({ authentication: { password: CLEAR } }), { dryRun: true })
    expect(patchIn(await mutated(body))).toHaveLength(3)
  })
  it('where there is none, nothing is hashed', async () => {
    const none: Passwords = { ...quickPasswords, hash: () => Promise.reject(new Error('hashed')) }
    expect(patchIn(await mutated(creationOf(aTAccount()), { remotes: { passwords: none } }))).toBeUndefined()
  })
  it('as an answer that holds nothing of it', async () => {
    const answer = await mutated(creation({ password: CLEAR }))
    isNowhereIn(answer)
    isNowhereIn([patchIn(answer)])
  })
  it('and what it made of it is not made anew (W-8)', async () => {
    const { object } = await mutated(creation({ password: CLEAR }))
    expect(patchIn(await mutated(creationOf(object)))).toBeUndefined()
    expect(patchIn(await mutated(updateOf(aTAccount(), object)))).toBeUndefined()
  })
  it('at the cost that is set', async () => {
    const settings = withSetting(BCRYPT_COST, 5)
    expect(await madeOf(creation({ password: CLEAR }), { settings })).toMatchObject({
      bcryptPassword: hashFor(CLEAR, 5),
    })
  })
})

describe('TA-M1 on real threads: the vector of tars.md 9', () => {
  const passwords = new PasswordPool()
  const remotes = { passwords }
  afterAll(() => passwords.stop())

  it('is bcrypt of the SHA-1 in lower-case hex', async () => {
    const hash = String(at(await madeOf(creation({ password: CLEAR }), { remotes }), 'bcryptPassword'))
    expect(sha1Of(CLEAR)).toBe('f4a69973e7b0bf9d160f9f60e3c3acd2494beb0d')
    expect(hash).toHaveLength(60)
    expect(hash).toMatch(/^\$2a\$10\$/)
    expect(await passwords.verify('f4a69973e7b0bf9d160f9f60e3c3acd2494beb0d', hash)).toBe(true)
  })
  it('and the same password again keeps it (TA-M8)', async () => {
    const { object } = await mutated(creation({ password: CLEAR }), { remotes })
    const stored = { bcryptPassword: at(object, 'spec.authentication.bcryptPassword'), tokens: [A_TOKEN] }
    const answer = await mutated(update(stored, { ...stored, password: CLEAR }), { remotes })
    expect(patchIn(answer)).toEqual([PASSWORD_REMOVED])
  })
})

describe('TA-M2 an empty password is none', () => {
  const stored = { bcryptPassword: hashFor(CLEAR), tokens: [A_TOKEN] }

  it('and leaves on CREATE', async () => {
    const answer = await mutated(creation({ ...stored, tokens: [], password: '' }))
    expect(patchIn(answer)).toEqual([PASSWORD_REMOVED])
  })
  it('and leaves on UPDATE, the sessions untouched', async () => {
    const answer = await mutated(update(stored, { ...stored, password: '' }))
    expect(patchIn(answer)).toEqual([PASSWORD_REMOVED])
    expect(patchIn(await mutated(updateOf(aTAccount({ authentication: stored }), answer.object)))).toBeUndefined()
  })
})

describe('TA-M3 another hash ends all sessions', () => {
  const stored = { bcryptPassword: hashFor(CLEAR), tokens: [A_TOKEN] }
  const old = aTAccount({ authentication: stored })

  it('and is kept as it was given', async () => {
    const answer = await mutated(update(stored, { ...stored, bcryptPassword: hashFor(OTHER) }))
    expect(patchIn(answer)).toEqual([TOKENS_EMPTIED])
    expect(patchIn(await mutated(updateOf(old, answer.object)))).toBeUndefined()
  })
  it('even if what was there cannot be read', async () => {
    expect(await madeOf(updateOf({ ...old, spec: 'x' }, old))).toMatchObject({ tokens: [] })
  })
})

describe('TA-M4 a new account has no sessions', () => {
  it.each([
    ['those it brings are dropped', [A_TOKEN]],
    ['a list is there even if it brings none', undefined],
  ])('%s', async (_, tokens) => {
    const answer = await mutated(creation({ bcryptPassword: hashFor(CLEAR), ...(tokens && { tokens }) }))
    expect(patchIn(answer)).toEqual([TOKENS_EMPTIED])
    expect(patchIn(await mutated(creationOf(answer.object)))).toBeUndefined()
  })
})

describe('TA-M5 sessions are the web console’s as long as the password stays', () => {
  it.each([
    ['a new one', [A_TOKEN, { ...A_TOKEN, name: 'another' }]],
    ['one that ended', []],
    ['none at all', undefined],
  ])('%s is written as it comes', async (_, tokens) => {
    const stored = { bcryptPassword: hashFor(CLEAR), tokens: [A_TOKEN] }
    const next = { bcryptPassword: hashFor(CLEAR), ...(tokens && { tokens }) }
    expect(patchIn(await mutated(update(stored, next)))).toBeUndefined()
  })
})

describe('TA-M7 of password and hash the password wins', () => {
  it('on CREATE', async () => {
    const body = creation({ password: CLEAR, bcryptPassword: hashFor(OTHER) })
    expect(await madeOf(body)).toMatchObject({ bcryptPassword: hashFor(CLEAR) })
  })
  it('on UPDATE, whose hash is then the stored one if the password is (TA-M8)', async () => {
    const stored = { bcryptPassword: hashFor(CLEAR), tokens: [A_TOKEN] }
    const body = update(stored, { ...stored, password: CLEAR, bcryptPassword: hashFor(OTHER) })
    expect(await madeOf(body)).toEqual({ activated: true, ...stored })
  })
})

describe('TA-M8 the same manifest again logs nobody out', () => {
  const stored = { bcryptPassword: hashFor(CLEAR), tokens: [A_TOKEN] }

  it.each([
    ['as kubectl apply merges it', { ...stored, password: CLEAR }],
    ['as kubectl replace puts it', { password: CLEAR }],
    ['with an empty list of tokens, as an example may have it', { ...stored, tokens: [], password: CLEAR }],
  ])('%s', async (_, authentication) => {
    const answer = await mutated(update(stored, authentication))
    expect(at(answer.object, 'spec.authentication')).toEqual({ activated: true, ...stored })
    expect(patchIn(await mutated(updateOf(aTAccount({ authentication: stored }), answer.object)))).toBeUndefined()
  })
  it('brings no token that was not there', async () => {
    const body = update({ bcryptPassword: hashFor(CLEAR) }, { ...stored, password: CLEAR })
    expect(await madeOf(body)).toEqual({ activated: true, bcryptPassword: hashFor(CLEAR) })
  })
  it('but another password does', async () => {
    expect(await madeOf(update(stored, { ...stored, password: OTHER }))).toMatchObject({
      bcryptPassword: hashFor(OTHER),
      tokens: [],
    })
  })
  it.each([
    ['of other rounds', hashFor(CLEAR, 6)],
    ['of so many rounds that nobody could wait', `$2a$31$${'x'.repeat(53)}`],
    ['that is no bcrypt', 'x'.repeat(60)],
  ])('a stored hash %s is not compared, but replaced', async (_, bcryptPassword) => {
    const verify = () => Promise.reject(new Error('compared'))
    const old = { bcryptPassword, tokens: [A_TOKEN] }
    const wishes = { remotes: { passwords: { ...quickPasswords, verify } } }
    expect(await madeOf(update(old, { ...old, password: CLEAR }), wishes)).toMatchObject({
      bcryptPassword: hashFor(CLEAR),
      tokens: [],
    })
  })
  it('is not asked of a password that is refused', async () => {
    const old = { bcryptPassword: hashFor('a b'), tokens: [A_TOKEN] }
    expect(wordsOf(await mutated(update(old, { ...old, password: 'a b' })))).toBe(REFUSED)
  })
})

describe('a password that cannot be hashed now', () => {
  const body = creation({ password: CLEAR })
  const failing = (fault: Fault): Partial<AnswererParts> => ({
    remotes: { passwords: { hash: () => Promise.reject(fault), verify: () => Promise.reject(fault) } },
  })
  const lost = failing(new Fault('THREAD_LOST', 'the thread that hashes passwords has ended'))

  it.each(['refuse', 'warn'] as const)('is not stored but comes again, under --enforce %s too', async (enforce) => {
    const answer = await mutated(body, { ...lost, enforce })
    expect(wordsOf(answer)).toBe(
      '503 ServiceUnavailable: cannot decide now: the thread that hashes passwords has ended; ' +
        'nothing is wrong with the object, try again. [ref 29d991ef]',
    )
    expect(answer.response.patch).toBeUndefined()
  })
  it('since too many wait, is for the server to send away (SV-12)', async () => {
    const tooMany = failing(new Fault('OVERLOADED', 'too many'))
    await expect(mutated(body, tooMany)).rejects.toMatchObject({ code: 'OVERLOADED' })
  })
})
